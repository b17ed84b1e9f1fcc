import { writeSync } from 'node:fs'
import { emitKeypressEvents } from 'node:readline'
import type { Key } from './keys.js'
import type { View } from './line.js'

/** The other screen of the terminal, without cursor and without wrapping; and back. */
const ENTER = '\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J'
const LEAVE = '\x1b[?7h\x1b[?25h\x1b[?1049l'
/** Terminals that know these show everything between them at once. */
const BEGIN = '\x1b[?2026h'
const END = '\x1b[?2026l'

/** How long readline waits after Escape for the rest of a key. */
const ESCAPE_TIMEOUT_MS = 50

/**
 * The terminal as a page of lines. It writes only lines that have changed, and none while the terminal is slow.
 * The terminal is restored whatever ends the process, except SIGKILL.
 */
export class Screen {
  #drawn: readonly string[] = []
  #entered = false
  readonly #restore = (): void => this.leave()

  constructor(
    readonly input: NodeJS.ReadStream,
    readonly output: NodeJS.WriteStream,
    readonly on: {
      readonly key: (key: Key) => void
      readonly resized: () => void
      readonly gone: () => void
    },
  ) {}

  get size(): Pick<View, 'columns' | 'rows'> {
    return { columns: this.output.columns || 80, rows: this.output.rows || 24 }
  }

  open(): void {
    emitKeypressEvents(this.input, { escapeCodeTimeout: ESCAPE_TIMEOUT_MS } as never)
    this.input.on('keypress', this.#key).on('end', this.on.gone).on('error', this.on.gone)
    this.output.on('resize', this.#resized)
    process.on('exit', this.#restore).on('uncaughtExceptionMonitor', this.#restore)
    process.on('SIGTSTP', this.#suspend).on('SIGCONT', this.#resume)
    this.enter()
  }

  close(): void {
    this.leave()
    this.input.off('keypress', this.#key).off('end', this.on.gone).off('error', this.on.gone).pause()
    this.output.off('resize', this.#resized)
    process.off('exit', this.#restore).off('uncaughtExceptionMonitor', this.#restore)
    process.off('SIGTSTP', this.#suspend).off('SIGCONT', this.#resume)
  }

  enter(): void {
    if (this.#entered) return
    this.#entered = true
    this.input.setRawMode(true)
    this.input.resume()
    this.#write(ENTER)
    this.#drawn = []
  }

  /** Restores the terminal, also while the process ends. */
  leave(): void {
    if (!this.#entered) return
    this.#entered = false
    try {
      this.input.setRawMode(false)
    } catch {
      // The terminal is gone.
    }
    this.#write(LEAVE)
  }

  /** Stops the process as Ctrl-Z does; the shell's `fg` continues it. */
  suspend(): void {
    this.leave()
    process.off('SIGTSTP', this.#suspend)
    // The whole group, as a terminal does: the process that started this one may wait for it.
    process.kill(0, 'SIGTSTP')
  }

  /** Draws everything anew with the next lines. */
  forget(): void {
    if (!this.#entered) return
    this.#write('\x1b[2J')
    this.#drawn = []
  }

  /** Shows these lines. False when the terminal has not taken the last ones yet. */
  draw(lines: readonly string[]): boolean {
    if (!this.#entered) return true
    if (this.output.writableNeedDrain) return false
    const rows = Math.max(lines.length, this.#drawn.length)
    let text = ''
    for (let row = 0; row < rows; row++) {
      const line = lines[row] ?? ''
      if (line !== this.#drawn[row]) text += `\x1b[${row + 1};1H\x1b[K${line}`
    }
    this.#drawn = lines
    if (text !== '') this.output.write(`${BEGIN}${text}${END}`)
    return true
  }

  /** At once, also while the process ends. */
  #write(text: string): void {
    try {
      writeSync((this.output as NodeJS.WriteStream & { readonly fd: number }).fd, text)
    } catch {
      // The terminal is gone.
    }
  }

  readonly #key = (_: string | undefined, key: Key): void => this.on.key(key)

  readonly #resized = (): void => {
    this.forget()
    this.on.resized()
  }

  readonly #suspend = (): void => this.suspend()

  readonly #resume = (): void => {
    process.off('SIGTSTP', this.#suspend).on('SIGTSTP', this.#suspend)
    this.enter()
    this.on.resized()
  }
}
