import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { GatewayClient } from '../../src/client/client.js'
import { endpoints } from '../../src/contract/endpoints.js'
import { DatabaseProxy } from './cluster-proxy.js'

const ADMIN = { email: 'admin@fab.example', password: 'a long enough password' }

/** Sets the clock of a process ahead, or back, by so many milliseconds: what it is told by `Date`. */
const shifted = (milliseconds: number): string =>
  `data:text/javascript,const D=Date;const s=${milliseconds};globalThis.Date=class extends D{constructor(...a){if(a.length)super(...a);else super(D.now()+s)}static now(){return D.now()+s}}`

function throughProxy(text: string, port: number): string {
  const url = new URL(text)
  url.port = String(port)
  return url.href
}

export interface ClusterOptions {
  readonly folder: string
  readonly databasePort: number
  /** Its URL; left out, the daemon keeps its records in files. */
  readonly database?: string | undefined
  readonly leaseSeconds: number
}

/** One daemon of the cluster: the built command on a home of its own, which is started again after each fault. */
export class ClusterDaemon {
  #child: ChildProcess | undefined
  #token: string | undefined

  private constructor(
    readonly name: string,
    readonly port: number,
    readonly proxy: DatabaseProxy,
    readonly options: ClusterOptions,
  ) {}

  static async make(name: string, port: number, options: ClusterOptions): Promise<ClusterDaemon> {
    return new ClusterDaemon(name, port, await DatabaseProxy.start(options.databasePort), options)
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  get isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** Resolves once it serves. */
  async start(clockAheadMs = 0): Promise<void> {
    const { folder, database, leaseSeconds } = this.options
    const home = join(folder, this.name)
    mkdirSync(home, { recursive: true })
    const own = {
      SECSCTL_HOME: home,
      SECSCTL_ADMIN_EMAIL: ADMIN.email,
      SECSCTL_ADMIN_PASSWORD: ADMIN.password,
      ...(database !== undefined && {
        SECSCTL_STORE: throughProxy(database, this.proxy.port),
      }),
    }
    const flags = ['--port', String(this.port), '--hsms-host', '127.0.0.1', '--keep-size', '500GiB']
    const cluster = ['--node-name', this.name, '--node-url', this.url, '--lease', `${leaseSeconds}s`]
    const clock = clockAheadMs === 0 ? [] : ['--import', shifted(clockAheadMs)]
    const log = openSync(join(folder, `${this.name}.log`), 'a')
    const command = [...clock, 'bin/run.js', 'daemon', 'run', ...flags, ...cluster]
    const env = { ...process.env, ...own, CI: '1' }
    this.#child = spawn(process.execPath, command, { env, stdio: ['ignore', log, log] })
    closeSync(log)
    for (let tries = 0; tries < 600; tries++) {
      if (!this.isRunning) throw new Error(`${this.name} has ended: ${this.told}`)
      const answer = await fetch(`${this.url}/readyz`).catch(() => undefined)
      if (answer?.ok) return
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    throw new Error(`${this.name} is not ready after a minute: ${this.told}`)
  }

  /** The last that it said. */
  get told(): string {
    return readFileSync(join(this.options.folder, `${this.name}.log`), 'utf8').slice(-2000)
  }

  async client(): Promise<GatewayClient> {
    const { token } = await new GatewayClient({ url: this.url, timeout: 30_000 }).call(endpoints.login, {
      body: ADMIN,
    })
    this.#token = token
    return new GatewayClient({ url: this.url, token, timeout: 30_000 })
  }

  /** The token of the last login. */
  get token(): string {
    return this.#token ?? ''
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal)
  }

  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    if (!this.isRunning || !this.#child) return
    const ended = once(this.#child, 'exit')
    this.#child.kill(signal)
    await ended
  }

  /** Resolves with whether it ended by itself within so many milliseconds. */
  async ended(withinMs: number): Promise<boolean> {
    for (const began = Date.now(); this.isRunning && Date.now() - began < withinMs; )
      await new Promise((resolve) => setTimeout(resolve, 100))
    return !this.isRunning
  }

  /** MiB of memory that it has. */
  get memory(): number {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${this.pid}/status`, 'utf8')) ?? []
    return Number(kilobytes) / 1024
  }

  /** Seconds of the processor that it has taken. */
  get processor(): number {
    const [, , ...fields] = readFileSync(`/proc/${this.pid}/stat`, 'utf8').split(/\) | /)
    return (Number(fields[11]) + Number(fields[12])) / 100
  }

  /** The ports on the other side of its connections. */
  get peers(): ReadonlySet<number> {
    const folder = `/proc/${this.pid}/fd`
    const sockets = new Set(
      readdirSync(folder).map((name) => {
        try {
          return /^socket:\[(\d+)\]$/.exec(readlinkSync(join(folder, name)))?.[1]
        } catch {
          return undefined
        }
      }),
    )
    const rows = readFileSync(`/proc/${this.pid}/net/tcp`, 'utf8').split('\n').slice(1)
    const ports = rows.flatMap((row) => {
      const fields = row.trim().split(/\s+/)
      return sockets.has(fields[9]) ? [Number.parseInt(fields[2]?.split(':')[1] ?? '0', 16)] : []
    })
    return new Set(ports)
  }
}
