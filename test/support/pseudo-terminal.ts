import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
    this.#child.stdin?.on('error', () => {}) // it may have ended before the last key
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

  kill(): void {
    this.#child.kill('SIGKILL')
  }

  /** Its exit code; a signal's as the shell tells it. */
  async ended(): Promise<number | null> {
    return (await this.#over).code
  }
}

/** Two pseudo terminals that are connected to each other, as a serial cable connects two ports (socat). */
export class SerialLine {
  readonly #folder = mkdtempSync(join(tmpdir(), 'secsctl-serial-'))
  readonly one = join(this.#folder, 'one')
  readonly two = join(this.#folder, 'two')
  #socat: ChildProcess | undefined

  /** Resolves when both ends are there. */
  async plug(): Promise<void> {
    const end = (path: string): string => `pty,rawer,link=${path}`
    this.#socat = spawn('socat', [end(this.one), end(this.two)], { stdio: 'ignore' })
    await until(() => existsSync(this.one) && existsSync(this.two))
  }

  /** The cable is pulled: both ends are gone. */
  async unplug(): Promise<void> {
    this.#socat?.kill()
    await until(() => !existsSync(this.one))
  }

  remove(): void {
    this.#socat?.kill('SIGKILL')
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
