// What the client calls itself. A test keeps it in step with package.json.

export const CLIENT_VERSION = '0.1.0'
