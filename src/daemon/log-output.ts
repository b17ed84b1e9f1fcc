import { type Cancel, type Clock, delay } from '../kit/clock.js'
import { nextTurn } from '../kit/turns.js'

/** Where the bytes of the log go. */
export interface LogSink {
  /** Resolves with how many of the bytes were written: fewer than all where it failed. Never rejects. */
  write(bytes: Buffer): Promise<number>
  /** The same at once, for the last lines of a process; left out where it could block. Throws. */
  writeNow?(bytes: Buffer): void
  close?(): Promise<void>
}

/** Bytes that wait to be written; lines beyond that are dropped. */
const MAX_WAITING_BYTES = 256 * 1024
/**
 * Milliseconds for which lines are gathered: a write takes the processor several times as long as a line, and a busy
 * daemon would make one for almost every request.
 */
const GATHER_MS = 20
/** Bytes that are written at once. So many are not gathered any longer. */
const MAX_CHUNK_BYTES = 64 * 1024
/** How long the last lines of a process may take. */
const LAST_LINES_TIMEOUT_MS = 1000

const LINE_FEED = 0x0a

interface Line {
  readonly text: string
  readonly bytes: number
}

/** Takes lines of the log and never makes the caller wait: a line that cannot be written is dropped and counted. */
export class LogOutput {
  #queue: Line[] = []
  #waiting = 0
  #dropped = 0
  /** Dropped lines that the log does not mention yet. */
  #unreported = 0
  #running: Promise<void> | undefined
  #cancel: Cancel | undefined
  /** True when the last line was written in part. */
  #isCut = false

  constructor(
    readonly sink: LogSink,
    readonly clock: Clock,
  ) {}

  /** Lines that could not be written since the process started. */
  get dropped(): number {
    return this.#dropped
  }

  /** `text` ends with a line feed. */
  write(text: string): void {
    const bytes = Buffer.byteLength(text)
    if (this.#waiting + bytes > MAX_WAITING_BYTES) return this.#drop(1)
    this.#queue.push({ text, bytes })
    this.#waiting += bytes
    this.#writeSoon()
  }

  /** Resolves once everything is written, or could not be within a second. */
  async flush(): Promise<void> {
    const over = new AbortController()
    await Promise.race([this.#writeAll(), delay(this.clock, LAST_LINES_TIMEOUT_MS, over.signal)])
    over.abort()
  }

  /** The same, and gives the file back; nothing is written afterwards. */
  async close(): Promise<void> {
    await this.flush()
    // What hangs is left to the end of the process.
    if (!this.#running) await this.sink.close?.()
  }

  /** Writes what waits before the process ends without `flush`, where that cannot block. */
  writeNow(): void {
    const { sink } = this
    if (!sink.writeNow || this.#queue.length === 0) return
    try {
      sink.writeNow(Buffer.from(this.#queue.map(({ text }) => text).join('')))
    } catch {
      // The process ends: there is no later line that could report it.
    }
    this.#queue = []
  }

  #writeSoon(): void {
    if (this.#running) return
    if (this.#waiting >= MAX_CHUNK_BYTES) this.#begin()
    else this.#cancel ??= this.clock.at(this.clock.now() + GATHER_MS, () => this.#begin())
  }

  #begin(): void {
    this.#cancel?.()
    this.#cancel = undefined
    this.#running ??= this.#run()
  }

  async #writeAll(): Promise<void> {
    while (this.#running || this.#queue.length > 0) {
      this.#begin()
      await this.#running
    }
  }

  /** Writes the lines that are there; those that come meanwhile are gathered again. */
  async #run(): Promise<void> {
    await nextTurn()
    for (let left = this.#queue.length; left > 0; ) {
      const lines = this.#take()
      left -= lines.length
      const notice = this.#unreported === 0 ? '' : this.#notice()
      const reported = this.#unreported
      const head = `${this.#isCut ? '\n' : ''}${notice}`
      const bytes = Buffer.from(`${head}${lines.map(({ text }) => text).join('')}`)
      const written = await this.sink.write(bytes)
      for (const line of lines) this.#waiting -= line.bytes
      if (written === bytes.length) {
        this.#unreported -= reported
        this.#isCut = false
        continue
      }
      if (written > 0) this.#isCut = bytes[written - 1] !== LINE_FEED
      const start = Buffer.byteLength(head)
      if (written >= start) this.#unreported -= reported
      this.#drop(lines.length - wholeLines(bytes.subarray(start, Math.max(start, written))))
    }
    this.#running = undefined
    if (this.#queue.length > 0) this.#writeSoon()
  }

  #take(): Line[] {
    let bytes = 0
    let count = 0
    for (; count < this.#queue.length; count++) {
      bytes += this.#queue[count]?.bytes ?? 0
      if (bytes > MAX_CHUNK_BYTES && count > 0) break
    }
    return this.#queue.splice(0, count)
  }

  #drop(lines: number): void {
    this.#dropped += lines
    this.#unreported += lines
  }

  #notice(): string {
    const record = { level: 40, time: this.clock.date().toISOString(), lines: this.#unreported }
    return `${JSON.stringify({ ...record, msg: 'log lines could not be written' })}\n`
  }
}

function wholeLines(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) count++
  return count
}
