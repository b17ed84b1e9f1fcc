import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Clock } from '../../kit/clock.js'
import { deferred } from '../../kit/deferred.js'
import { Failure } from '../errors/failure.js'
import { runFile } from '../installation.js'

/** For an orderly stop of a process, in milliseconds. */
const STOP_TIMEOUT_MS = 10_000

/** A `secsctl` process of the demo that stays in the foreground, and its output. */
export class DemoProcess {
  readonly #child: ChildProcess
  readonly #ended: Promise<number | null>
  readonly #lines: string[] = []
  readonly #errors: string[] = []
  readonly #waiting = new Set<() => void>()
  #over = false

  constructor(
    readonly title: string,
    root: string,
    args: readonly string[],
    env: NodeJS.ProcessEnv,
  ) {
    this.#child = spawn(process.execPath, [runFile(root), ...args], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const ended = deferred<number | null>()
    this.#ended = ended.promise
    const over = (code: number | null): void => {
      this.#over = true
      ended.resolve(code)
      for (const wake of this.#waiting) wake()
    }
    this.#child.once('error', () => over(null))
    this.#child.once('close', (code) => over(code))
    const { stdout, stderr } = this.#child
    if (stdout) createInterface(stdout).on('line', (line) => this.#take(line))
    if (stderr) createInterface(stderr).on('line', (line) => void this.#errors.push(line))
  }

  /** The first line that `pattern` matches, past or future. */
  async line(pattern: RegExp): Promise<string> {
    for (;;) {
      const found = this.#lines.find((line) => pattern.test(line))
      if (found !== undefined) return found
      if (this.#over) {
        throw new Failure(
          'unexpected',
          `the ${this.title} ended early:\n${this.#errors.slice(-10).join('\n')}`,
        )
      }
      await new Promise<void>((wake) => this.#waiting.add(wake))
    }
  }

  /** Asks it to stop, and waits until it is gone; its exit code, or null when it had to be killed. */
  async stop(clock: Clock): Promise<number | null> {
    this.#child.kill('SIGTERM')
    const cancel = clock.at(clock.now() + STOP_TIMEOUT_MS, () => this.kill())
    return this.#ended.finally(cancel)
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }

  #take(line: string): void {
    this.#lines.push(line)
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const wake of waiting) wake()
  }
}
