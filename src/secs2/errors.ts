/** An item that has no encoding: longer than three length bytes can say, or nested too deep. */
export class Secs2EncodeError extends Error {
  override readonly name = 'Secs2EncodeError'
}

/**
 * - `truncated`: an item says that it is longer than what follows.
 * - `unknown_format`: a format code that SEMI E5 does not give out.
 * - `bad_length`: no length bytes, or a length that is no multiple of the format's width.
 * - `trailing_bytes`: something follows the one item of a body.
 * - `too_deep`: lists in lists beyond `MAX_DEPTH`.
 * - `too_many_items`: more than `MAX_ITEMS` in one body.
 */
export type DecodeFault =
  | 'truncated'
  | 'unknown_format'
  | 'bad_length'
  | 'trailing_bytes'
  | 'too_deep'
  | 'too_many_items'

/** Bytes that are no SECS-II. The only error that decoding throws. */
export class Secs2DecodeError extends Error {
  override readonly name = 'Secs2DecodeError'

  constructor(
    readonly fault: DecodeFault,
    /** Where the item begins that cannot be read, in bytes from the start of the body. */
    readonly offset: number,
    detail: string,
  ) {
    super(`${detail} (at byte ${offset})`)
  }
}

/** Text that an encoding cannot write. */
export class TextEncodeError extends Error {
  override readonly name = 'TextEncodeError'

  constructor(
    readonly character: string,
    readonly encoding: string,
  ) {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
    super(`the character U+${code} cannot be written in ${encoding}`)
  }
}
