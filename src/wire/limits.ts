// The limits and markers of the wire.

/** The most JSON that a stored payload holds, in UTF-8 bytes. */
export const MAX_PAYLOAD_BYTES = 512 * 1024
/** A WebSocket message above this closes the socket with 1009. */
export const MAX_FRAME_BYTES = 16 * 1024 * 1024
/** Stands where a hide switch or redaction took a value out. */
export const REDACTED = '__REDACTED__'
/** The member that marks a payload as shortened. */
export const TRUNCATED = '__graphmindTruncated'
/** What a shortened string ends with, after the number of characters that are missing. */
export const CUT_MARK = /\[graphmind cut \d+ characters\]/
/** Stands where a value could not be turned into JSON. */
export const UNREADABLE = '__UNREADABLE__'
