import type { Cancel, Clock } from '../../kit/clock.js'
import { knowsUnicode } from './locale.js'
import { visible, visibleLines } from './visible-text.js'

const ASCII_FRAMES = ['|', '/', '-', '\\']
const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const INTERVAL = 100

/** What people see on standard error while they wait: each change on a line, and a spinner on a terminal. */
export class Progress {
  readonly #moving = process.stderr.isTTY === true && process.env['TERM'] !== 'dumb'
  #cancel: Cancel | undefined
  readonly #frames = knowsUnicode(process.env) ? FRAMES : ASCII_FRAMES
  #frame = 0
  #text = ''

  constructor(
    readonly clock: Clock,
    readonly silent: boolean,
  ) {}

  start(text: string): void {
    this.#text = visible(text)
    if (this.#moving && !this.silent && !this.#cancel) this.#draw()
  }

  /** Says what has just happened. */
  line(text: string): void {
    if (this.silent) return
    this.#clear()
    process.stderr.write(`${visibleLines(text)}\n`)
  }

  stop(): void {
    this.#cancel?.()
    this.#cancel = undefined
    this.#clear()
  }

  #draw(): void {
    process.stderr.write(`\r\x1b[K${this.#frames[this.#frame++ % this.#frames.length]} ${this.#text}`)
    this.#cancel = this.clock.at(this.clock.now() + INTERVAL, () => this.#draw())
  }

  #clear(): void {
    if (this.#moving && !this.silent) process.stderr.write('\r\x1b[K')
  }
}
