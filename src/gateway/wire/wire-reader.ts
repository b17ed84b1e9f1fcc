import type { Endpoints, WireRecord } from '../../hsms/capture/wire.js'

/** A record for a reader of a wire. `at` in microseconds since 1970. */
export type Passed = { readonly at: number } & (
  | WireRecord
  /** The start of reading, or its continuation after `lost` records that the reader did not take in time. */
  | { readonly kind: 'state'; readonly lost: number; readonly endpoints: Endpoints | undefined }
)

/** Limits of what may wait for a reader: records, and bytes of bodies in addition to the longest message. */
const MAX_RECORDS = 4096
const MAX_BYTES = 4 * 1024 * 1024

/** A body whose buffer exceeds its length by more than this many bytes is copied into a buffer of its own. */
const SPARE_MEMORY = 256

/** One reader of a wire. Records that it does not take in time are lost; it gets their number. */
export class WireReader {
  readonly #waiting: Passed[] = []
  #bytes = 0
  #lost = 0
  #ended = false
  #wake: () => void = () => {}

  /** `current` gives the current state of the connection. */
  constructor(readonly current: () => Passed & { readonly kind: 'state' }) {
    this.#waiting.push(current())
  }

  /** `record` is made by `ownRecord`. */
  put(record: WireRecord, at: number): void {
    if (this.#lost > 0 || this.#waiting.length >= MAX_RECORDS || this.#bytes > MAX_BYTES) {
      this.#lost += 1
      return
    }
    const passed = { ...record, at }
    this.#bytes += bytesOf(passed)
    this.#waiting.push(passed)
    this.#wake()
  }

  /** Nothing more will come. */
  end(): void {
    this.#ended = true
    this.#wake()
  }

  /** All records until `end` is called or `signal` aborts. */
  async *read(signal: AbortSignal): AsyncGenerator<Passed> {
    const wake = (): void => this.#wake()
    signal.addEventListener('abort', wake)
    try {
      while (!signal.aborted) {
        const passed = this.#take()
        if (passed) yield passed
        else if (this.#ended) return
        else await new Promise<void>((resolve) => (this.#wake = resolve))
      }
    } finally {
      signal.removeEventListener('abort', wake)
    }
  }

  #take(): Passed | undefined {
    const passed = this.#waiting.shift()
    if (passed) {
      this.#bytes -= bytesOf(passed)
      return passed
    }
    const lost = this.#lost
    if (lost === 0) return undefined
    this.#lost = 0
    return { ...this.current(), lost }
  }
}

const bytesOf = (passed: Passed): number => {
  if (passed.kind === 'frame') return passed.frame.body.length
  return passed.kind === 'unreadable' || passed.kind === 'line' ? passed.bytes.length : 0
}

/** The record with its body in its own buffer, so that the network's larger buffer can be freed. */
export function ownRecord(record: WireRecord): WireRecord {
  if (record.kind === 'unreadable' || record.kind === 'line')
    return { ...record, bytes: ownBytes(record.bytes) }
  if (record.kind !== 'frame') return record
  const { header, body } = record.frame
  return { ...record, frame: { header, body: ownBytes(body) } }
}

const ownBytes = (bytes: Uint8Array): Uint8Array =>
  bytes.buffer.byteLength > bytes.length + SPARE_MEMORY ? new Uint8Array(bytes) : bytes
