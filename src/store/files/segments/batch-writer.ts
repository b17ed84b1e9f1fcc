import { crc32 } from 'node:zlib'
import { nextTurn } from '../../../kit/turns.js'
import { type LineText, lineStart, markText, NEWLINE, sealText, withStart } from './journal-line.js'

/** Bytes that are written to the disk at once. A line may have 22 MiB. */
const PIECE_BYTES = 4 * 1024 * 1024

/** Characters of a line before which the event loop is given back. */
const STEP_LENGTH = 256 * 1024

/** Bytes that are made Base64 before the event loop is given back; their Base64 has no padding in between. */
const BASE64_STEP_BYTES = 384 * 1024

/** Bytes of UTF-8 for one of the units of a string, at most. */
const BYTES_PER_UNIT = 3

/** The lines of one batch, as they are on disk. */
export interface Batch {
  /** Of the lines, in bytes. */
  readonly length: number
  /** The same with the room after them. */
  readonly allocated: number
  /** Where each line begins. */
  readonly starts: readonly number[]
  /** The CRC of the last line. */
  readonly mark: string
}

/** Writes one piece of a batch, which begins at `at` in the batch. */
export type WritePiece = (bytes: Buffer, at: number) => Promise<void>

/**
 * Writes the batches of one journal, one after the other, all by way of the same memory. Until its last piece is on
 * disk, a batch looks as one that a crash cut short.
 */
export class BatchWriter {
  #piece: Buffer | undefined
  /** Bytes in the piece, and in the pieces of the batch before it. */
  #held = 0
  #written = 0

  /** Gives the event loop back in each long line. `roomAfter`: bytes of room after lines of so many bytes. */
  async write(
    first: number,
    contents: readonly LineText[],
    writePiece: WritePiece,
    roomAfter: (length: number) => number = () => 0,
  ): Promise<Batch> {
    const last = first + contents.length - 1
    const starts: number[] = []
    this.#held = 0
    this.#written = 0
    let crc = 0
    for (const content of contents) {
      const text = withStart(lineStart(first + starts.length, first, last), content)
      starts.push(this.#end)
      crc = 0
      if (typeof text === 'string' && text.length <= STEP_LENGTH) {
        if (!this.#fits(text.length)) await this.#flush(writePiece)
        crc = this.#put(text, crc)
      } else {
        for (const step of stepsOf(text)) {
          await nextTurn('journal')
          if (!this.#fits(step.length)) await this.#flush(writePiece)
          crc = this.#put(step, crc)
        }
      }
      const seal = `${sealText(crc)}\n`
      if (!this.#fits(seal.length)) await this.#flush(writePiece)
      this.#write(seal)
    }
    const length = this.#end
    const room = roomAfter(length)
    if (this.#held + room > PIECE_BYTES) await this.#flush(writePiece)
    this.#piece?.fill(NEWLINE, this.#held, this.#held + room)
    this.#held += room
    await this.#flush(writePiece)
    return { length, allocated: length + room, starts, mark: markText(crc) }
  }

  get #end(): number {
    return this.#written + this.#held
  }

  #fits(units: number): boolean {
    return this.#held + units * BYTES_PER_UNIT <= PIECE_BYTES
  }

  /** Returns the CRC of the text after that of what is before it in the line. */
  #put(text: string, crc: number): number {
    const from = this.#held
    return crc32(this.#write(text).subarray(from, this.#held), crc)
  }

  /** Returns the piece. */
  #write(text: string): Buffer {
    this.#piece ??= Buffer.allocUnsafeSlow(PIECE_BYTES)
    this.#held += this.#piece.write(text, this.#held)
    return this.#piece
  }

  async #flush(writePiece: WritePiece): Promise<void> {
    if (!this.#piece) return
    await writePiece(this.#piece.subarray(0, this.#held), this.#written)
    this.#written += this.#held
    this.#held = 0
  }
}

/** A long text in steps, none of which tears a pair of surrogates. */
function* stepsOf(text: LineText): Generator<string> {
  for (const part of typeof text === 'string' ? [text] : text) {
    if (typeof part !== 'string') {
      const { buffer, byteOffset, length } = part.bytes
      const bytes = Buffer.from(buffer, byteOffset, length)
      for (let at = 0; at < length; at += BASE64_STEP_BYTES)
        yield bytes.toString('base64', at, Math.min(at + BASE64_STEP_BYTES, length))
      continue
    }
    for (let at = 0; at < part.length; ) {
      const end = at + STEP_LENGTH
      const isTorn = (part.charCodeAt(end - 1) & 0xfc00) === 0xd800
      const step = part.slice(at, isTorn ? end + 1 : end)
      yield step
      at += step.length
    }
  }
}
