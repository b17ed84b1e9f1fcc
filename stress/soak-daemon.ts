import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { GatewayClient } from '../src/client/client.js'
import { endpoints } from '../src/contract/endpoints.js'

const ADMIN = { email: 'admin@fab.example', password: 'a long enough password' }

/** The built `secsctl` on a home of its own. */
export class Installed {
  constructor(
    readonly home: string,
    /** What node itself is given, such as --cpu-prof. */
    readonly nodeFlags: readonly string[],
  ) {}

  run(args: readonly string[], nodeFlags: readonly string[] = []): ChildProcess {
    const { email, password } = ADMIN
    const own = { SECSCTL_HOME: this.home, SECSCTL_ADMIN_EMAIL: email, SECSCTL_ADMIN_PASSWORD: password }
    const env = { ...process.env, ...own, CI: '1' }
    const log = openSync(join(this.home, 'log'), 'a')
    const command = [...nodeFlags, 'bin/run.js', ...args]
    const child = spawn(process.execPath, command, { env, stdio: ['ignore', 'pipe', log] })
    closeSync(log)
    return child
  }

  /** The lines that a command prints; throws when it fails. */
  async *lines(args: readonly string[]): AsyncGenerator<string> {
    const child = this.run(args)
    if (!child.stdout) throw new Error('there is no output')
    const ended = once(child, 'close')
    yield* createInterface({ input: child.stdout })
    const [code] = await ended
    if (code !== 0) throw new Error(`secsctl ${args.join(' ')} ended with ${code}\n${this.#told}`)
  }

  /** The last that was said on standard error. */
  get #told(): string {
    return readFileSync(join(this.home, 'log'), 'utf8').slice(-2000)
  }

  /** `keepSize`: the whole history is counted at the end, so retention must not remove the oldest reports of a long run. */
  async daemon(further: readonly string[] = [], keepSize = '500GiB'): Promise<SoakedDaemon> {
    const flags = ['--port', '0', '--hsms-host', '127.0.0.1', '--keep-size', keepSize, ...further]
    const child = this.run(['daemon', 'run', ...flags], this.nodeFlags)
    const log = child.stdout
    if (!log) throw new Error('there is no output')
    const url = await new Promise<string>((resolve, reject) => {
      createInterface({ input: log }).on('line', (line) => {
        const found = /^listening on (\S+)$/.exec(line)?.[1]
        if (found) resolve(found)
      })
      child.once('exit', (code) => reject(new Error(`the daemon ended with ${code}\n${this.#told}`)))
    })
    const { token } = await new GatewayClient({ url }).call(endpoints.login, { body: ADMIN })
    return new SoakedDaemon(child, new GatewayClient({ url, token }))
  }
}

/** The daemon under load. */
export class SoakedDaemon {
  constructor(
    private readonly child: ChildProcess,
    readonly client: GatewayClient,
  ) {}

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null
  }

  /** MiB of memory that it has, which Linux alone tells. */
  get memory(): number {
    return this.#mebibytes(/^VmRSS:\s+(\d+) kB$/m)
  }

  /** The most that it ever had. */
  get peak(): number {
    return this.#mebibytes(/^VmHWM:\s+(\d+) kB$/m)
  }

  /** Seconds of the processor that it has taken. */
  get processor(): number {
    const [, , ...fields] = readFileSync(`/proc/${this.child.pid}/stat`, 'utf8').split(/\) | /)
    const ticks = Number(fields[11]) + Number(fields[12])
    return ticks / 100
  }

  #mebibytes(line: RegExp): number {
    return Number(line.exec(readFileSync(`/proc/${this.child.pid}/status`, 'utf8'))?.[1]) / 1024
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal)
  }

  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    if (!this.isRunning) return
    const ended = once(this.child, 'exit')
    this.child.kill(signal)
    await ended
  }
}
