import type { Cancel } from '../../kit/clock.js'
import { cut } from '../../kit/text/columns.js'
import { visible, visibleLines } from '../../kit/text/visible-text.js'
import type { Environment } from '../environment.js'
import { knowsUnicode } from './locale.js'
import { linesFor } from './terminal-text.js'

const ASCII_FRAMES = ['|', '/', '-', '\\']
const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const INTERVAL = 100

/** What people see on standard error while they wait: each change on a line, and a spinner on a terminal. */
export class Progress {
  readonly #moving: boolean
  #cancel: Cancel | undefined
  readonly #ascii: boolean
  #frame = 0
  #text = ''

  constructor(
    readonly environment: Pick<Environment, 'variables' | 'stderr' | 'clock'>,
    readonly silent: boolean,
  ) {
    const { variables, stderr } = environment
    this.#moving = stderr.isTTY && variables['TERM'] !== 'dumb'
    this.#ascii = !knowsUnicode(variables)
  }

  start(text: string): void {
    this.#text = visible(text)
    if (this.#moving && !this.silent && !this.#cancel) this.#draw()
  }

  /** Where nothing moves: writes what is waited for after so many milliseconds, as a line, once. */
  lineAfter(ms: number): void {
    if (this.#moving || this.silent) return
    const { clock } = this.environment
    this.#cancel ??= clock.at(clock.now() + ms, () => this.line(this.#text))
  }

  /** Writes a line about a change. */
  line(text: string): void {
    if (this.silent) return
    this.#clear()
    const { stderr } = this.environment
    stderr.write(`${linesFor(stderr, visibleLines(text))}\n`)
  }

  stop(): void {
    this.#cancel?.()
    this.#cancel = undefined
    this.#clear()
  }

  #draw(): void {
    const { clock, stderr } = this.environment
    const frames = this.#ascii ? ASCII_FRAMES : FRAMES
    const line = `${frames[this.#frame++ % frames.length]} ${this.#text}`
    // A line that wraps could not be drawn over.
    stderr.write(`\r\x1b[K${cut(line, (stderr.columns || 80) - 1, this.#ascii)}`)
    this.#cancel = clock.at(clock.now() + INTERVAL, () => this.#draw())
  }

  #clear(): void {
    if (this.#moving && !this.silent) this.environment.stderr.write('\r\x1b[K')
  }
}
