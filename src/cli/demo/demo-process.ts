import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Clock } from '../../kit/clock.js'
import { deferred } from '../../kit/deferred.js'
import { Failure } from '../errors/failure.js'
import { ownProgram } from '../installation.js'
import { Arrivals } from './arrivals.js'

/** For an orderly stop of a process, in milliseconds. */
const STOP_TIMEOUT_MS = 10_000

/** A `secsctl` process of the demo that stays in the foreground, and its output. */
export class DemoProcess {
  readonly #child: ChildProcess
  readonly #ended = deferred<number | null>()
  readonly #lines = new Arrivals<string>()

  constructor(title: string, root: string, args: readonly string[], env: NodeJS.ProcessEnv) {
    const [program, ...own] = ownProgram(root)
    const child = spawn(program, [...own, ...args], {
      env,
      // Its standard input ends with this process, also with one that is killed.
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    this.#child = child
    const errors: string[] = []
    const over = (code: number | null): void => {
      this.#ended.resolve(code)
      this.#lines.end(new Failure('unexpected', `the ${title} ended early:\n${errors.slice(-10).join('\n')}`))
    }
    child.stdin.on('error', () => {}) // it has ended
    child.once('error', () => over(null)).once('close', over)
    createInterface(child.stdout).on('line', (line) => this.#lines.add(line))
    createInterface(child.stderr).on('line', (line) => void errors.push(line))
  }

  /** The first line that `pattern` matches, past or future. */
  line(pattern: RegExp): Promise<string> {
    return this.#lines.first((line) => pattern.test(line))
  }

  /** Asks it to stop, and waits until it is gone; its exit code, or null when it had to be killed. */
  async stop(clock: Clock): Promise<number | null> {
    this.#child.kill('SIGTERM')
    const cancel = clock.at(clock.now() + STOP_TIMEOUT_MS, () => this.kill())
    return this.#ended.promise.finally(cancel)
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }
}
