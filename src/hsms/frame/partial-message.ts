/** Room is made in blocks of this many bytes as they fill: an announced length alone allocates nothing. */
const BLOCK_BYTES = 16 * 1024

/** Once this part of a message has come, room is made for all of it: then it is not held twice while it is joined. */
const TRUSTED_PART = 1 / 4

/** A message whose bytes come in pieces: kept in blocks at first, then in one. */
export class PartialMessage {
  #full: Uint8Array[] = []
  #block: Uint8Array
  #filled = 0
  /** Bytes that are still to come. */
  #missing: number

  /** `length` in bytes. */
  constructor(readonly length: number) {
    this.#missing = length
    this.#block = new Uint8Array(Math.min(length, BLOCK_BYTES))
  }

  get whole(): boolean {
    return this.#missing === 0
  }

  /** Bytes that have come. */
  get filled(): number {
    return this.length - this.#missing
  }

  /** Copies what it lacks out of `bytes`, from `at`; returns their number. */
  take(bytes: Uint8Array, at: number): number {
    const taken = Math.min(bytes.length - at, this.#missing)
    for (let from = at; from < at + taken; ) from += this.#fill(bytes.subarray(from, at + taken))
    return taken
  }

  /** All of it; to be asked for when it is whole. */
  join(): Uint8Array {
    this.#unite()
    return this.#block
  }

  /** All that has come, in one block with room for the whole message. */
  #unite(): void {
    if (this.#block.length === this.length) return
    // Not filled with zeros, which takes 10 ms for the longest message: every byte is written before it is whole.
    const bytes = new Uint8Array(Buffer.allocUnsafeSlow(this.length).buffer)
    let at = 0
    for (const block of [...this.#full, this.#block.subarray(0, this.#filled)]) {
      bytes.set(block, at)
      at += block.length
    }
    this.#full = []
    this.#block = bytes
    this.#filled = at
  }

  /** Takes as much as the block has room for. */
  #fill(piece: Uint8Array): number {
    if (this.#filled === this.#block.length && this.filled >= this.length * TRUSTED_PART) this.#unite()
    else if (this.#filled === this.#block.length) {
      this.#full.push(this.#block)
      this.#block = new Uint8Array(Math.min(this.#missing, BLOCK_BYTES))
      this.#filled = 0
    }
    const fits = Math.min(piece.length, this.#block.length - this.#filled)
    this.#block.set(fits < piece.length ? piece.subarray(0, fits) : piece, this.#filled)
    this.#filled += fits
    this.#missing -= fits
    return fits
  }
}
