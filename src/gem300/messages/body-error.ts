/** A body that cannot be understood, or content that cannot be written. */
export class BodyError extends Error {
  override readonly name = 'BodyError'

  constructor(
    /** A pointer to what is wrong, by the names of the items: `/JOBS/0/PRSTATE`; empty for the whole body. */
    readonly pointer: string,
    readonly detail: string,
  ) {
    super(pointer === '' ? detail : `${pointer} ${detail}`)
  }
}
