import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from './until.js'

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
