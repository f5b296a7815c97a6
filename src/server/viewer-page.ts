// The viewer's page as the server is given it.

export interface ViewerPage {
  readonly html: string
  readonly brotli: Uint8Array
  readonly gzip: Uint8Array
  readonly etag: string
  /** Hashes of its scripts, for the policy's `script-src`. */
  readonly csp: string
}
