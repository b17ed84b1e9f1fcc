/** The largest body that a call may have unless its row says otherwise, in bytes. */
export const BODY_LIMIT = 1024 * 1024

/** The largest body that holds a message or a recipe of 16 MiB, in bytes: in Base64 they are 21.4 MiB. */
export const MESSAGE_BODY_LIMIT = 24 * 1024 * 1024

/** Says that a body is longer than `limit`, in bytes. */
export const bodyTooLarge = (limit: number): string =>
  `The body is larger than ${limit >= BODY_LIMIT ? `${limit / BODY_LIMIT} MiB` : `${limit} bytes`}, the most that this call takes.`
