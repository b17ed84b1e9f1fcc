import { type ChildProcess, spawn } from 'node:child_process'
import { ended, type Ran } from './secsctl.js'
import { until } from './until.js'

/** A process on a real terminal of 80 columns and 24 rows (`script`, of util-linux). */
export class PseudoTerminal {
  readonly #child: ChildProcess
  readonly #over: Promise<Ran>
  #text = ''

  /** `command` as a shell takes it. */
  constructor(command: string, env: NodeJS.ProcessEnv) {
    this.#child = spawn('script', ['-qec', `stty rows 24 cols 80; ${command}`, '/dev/null'], { env })
    this.#child.stdout?.on('data', (chunk: Buffer) => {
      this.#text += chunk.toString()
    })
    this.#over = ended(this.#child)
  }

  /** All that was written to it so far. */
  get text(): string {
    return this.#text
  }

  type(keys: string): void {
    this.#child.stdin?.write(keys)
  }

  /** Waits until this was written to it, behind the place `from`. */
  shows(text: string | RegExp, from = 0): Promise<boolean> {
    return until(() => new RegExp(text).test(this.#text.slice(from))).catch(() => {
      throw new Error(`the terminal does not show ${text}: ${JSON.stringify(this.#text.slice(from))}`)
    })
  }

  /** Its exit code; a signal's as the shell tells it. */
  async ended(): Promise<number | null> {
    return (await this.#over).code
  }
}
