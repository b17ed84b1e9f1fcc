import { type ChildProcess, execFile, spawn } from 'node:child_process'

import {
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'

import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../support/free-port.js'
import { until } from '../support/until.js'

const run = promisify(execFile)
const VERSIONS = '/usr/lib/postgresql'

/** The folder of the programs of the newest PostgreSQL from Debian's package. Throws where there is none. */
export function postgresPrograms(): string {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS).map(Number) : []
  const newest = Math.max(0, ...versions)
  if (newest < 15) throw new Error('PostgreSQL 15 or newer is missing: apt-get install postgresql')
  return join(VERSIONS, String(newest), 'bin')
}

/** The user that PostgreSQL runs as: it refuses to run as root. */
async function unprivileged(): Promise<{ readonly uid: number; readonly gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const id = async (what: string): Promise<number> => Number((await run('id', [what, 'postgres'])).stdout)
  return { uid: await id('-u'), gid: await id('-g') }
}

/** Servers that run: they go with this process, also where a run is interrupted. */
const running = new Set<PostgresServer>()
process.on('exit', () => {
  for (const server of running) server.abandon()
})

/** With what a URL, a shell and a file would take for something else. */
const PASSWORD = 'p@ss/w%20rd?a=b&c#d:e +é'

/** A PostgreSQL server in a folder and on a port of its own, with passwords as by default. */
export class PostgresServer {
  #process: ChildProcess | undefined

  private constructor(
    readonly folder: string,
    readonly port: number,
    readonly user: { readonly uid: number; readonly gid: number } | undefined,
    private readonly hasOwnTime: boolean,
    private readonly settings: Readonly<Record<string, string>>,
  ) {}

  /** `hasOwnTime`: `setClock` moves its clock (Debian's package faketime). */
  static async start(
    settings: Readonly<Record<string, string>> = {},
    { hasOwnTime = false } = {},
  ): Promise<PostgresServer> {
    const user = await unprivileged()
    const folder = mkdtempSync(join(tmpdir(), 'secsctl-postgres-'))
    if (user) chownSync(folder, user.uid, user.gid)
    const server = new PostgresServer(folder, await freePort(), user, hasOwnTime, settings)
    if (hasOwnTime) server.setClock(0)
    const data = server.#makeData()
    const given = join(folder, 'initial-password')
    writeFileSync(given, PASSWORD, { mode: 0o600 })
    if (user) chownSync(given, user.uid, user.gid)
    writeFileSync(server.passwordFile, `${PASSWORD}\n`, { mode: 0o600 })
    const access = ['--auth=scram-sha-256', `--pwfile=${given}`]
    const options = [...access, '--username=secsctl', '--encoding=UTF8', '--locale=C', '--no-sync']
    await run(join(postgresPrograms(), 'initdb'), ['-D', data, ...options], user)
    await server.resume()
    return server
  }

  /** A server that follows this one without being waited for: `promote` makes it a primary. */
  async standby(): Promise<PostgresServer> {
    const folder = mkdtempSync(join(tmpdir(), 'secsctl-postgres-'))
    if (this.user) chownSync(folder, this.user.uid, this.user.gid)
    const standby = new PostgresServer(folder, await freePort(), this.user, this.hasOwnTime, this.settings)
    if (this.hasOwnTime) copyFileSync(this.#clockFile, standby.#clockFile)
    const options = ['-D', standby.#makeData(), '--checkpoint=fast', '--no-sync', '--write-recovery-conf']
    await run(join(postgresPrograms(), 'pg_basebackup'), ['-d', this.url('postgres'), ...options], this.user)
    writeFileSync(standby.passwordFile, `${PASSWORD}\n`, { mode: 0o600 })
    await standby.resume()
    return standby
  }

  /** Resolves once its standby has all that it has written so far. */
  async caughtUp(): Promise<void> {
    const url = this.url('postgres')
    const written = await this.sql(url, 'SELECT pg_current_wal_lsn()')
    const reached = `SELECT count(*) FROM pg_stat_replication WHERE flush_lsn >= '${written}'`
    await until(async () => (await this.sql(url, reached)) === '1')
  }

  /** A standby gets nothing more of what its primary writes. */
  async holdBack(): Promise<void> {
    const url = this.url('postgres')
    await this.sql(url, `ALTER SYSTEM SET primary_conninfo = ''`)
    await this.sql(url, 'SELECT pg_reload_conf()')
    await until(async () => (await this.sql(url, 'SELECT count(*) FROM pg_stat_wal_receiver')) === '0')
  }

  /** A standby becomes a primary, with what it has. */
  async promote(): Promise<void> {
    await this.sql(this.url('postgres'), 'SELECT pg_promote()')
  }

  /** The URL of a new database. */
  async database(name = `test_${Math.random().toString(36).slice(2)}`): Promise<string> {
    await run(join(postgresPrograms(), 'createdb'), [...this.#address, name], {
      env: { ...process.env, PGPASSWORD: PASSWORD },
    })
    return this.url(name)
  }

  /** Runs one statement in the database at `url`; its rows as text. */
  async sql(url: string, statement: string): Promise<string> {
    const flags = ['--quiet', '--tuples-only', '--no-align', '--command', statement]
    return (await run(join(postgresPrograms(), 'psql'), [url, ...flags])).stdout.trim()
  }

  /** Its time of day is so many seconds ahead from now on. */
  setClock(seconds: number): void {
    // Renamed into place: it is read at every question for the time.
    writeFileSync(`${this.#clockFile}.new`, `${seconds < 0 ? '' : '+'}${seconds}\n`, { mode: 0o644 })
    renameSync(`${this.#clockFile}.new`, this.#clockFile)
  }

  get #clockFile(): string {
    return join(this.folder, 'clock')
  }

  url(database: string): string {
    return `postgres://secsctl:${encodeURIComponent(PASSWORD)}@127.0.0.1:${this.port}/${database}`
  }

  /** The flags of a daemon on the database at `url`. */
  flags(url: string): readonly string[] {
    return ['--store', withoutPassword(url), '--store-password-file', this.passwordFile]
  }

  /** The file with the password of the user `secsctl`. */
  get passwordFile(): string {
    return join(this.folder, 'password')
  }

  /** Starts it again after `kill` or `stop`. */
  async resume(): Promise<void> {
    const given = {
      ...DEFAULTS,
      port: String(this.port),
      unix_socket_directories: this.folder,
      ...this.settings,
    }
    const flags = Object.entries(given).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const server = spawn(join(postgresPrograms(), 'postgres'), ['-D', join(this.folder, 'data'), ...flags], {
      ...this.user,
      ...(this.hasOwnTime && { env: { ...process.env, ...fakedTime(this.#clockFile) } }),
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    server.stderr.on('data', (bytes) => {
      said = `${said}${bytes}`.slice(-4000)
    })
    this.#process = server
    running.add(this)
    for (let tries = 0; tries < 1200; tries++) {
      const ready = await run(join(postgresPrograms(), 'pg_isready'), [...this.#address]).then(
        () => true,
        () => false,
      )
      if (ready) return
      if (server.exitCode !== null) break
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    throw new Error(`PostgreSQL does not start: ${said}`)
  }

  /** Ends it without a checkpoint, as a power failure does. */
  kill(): Promise<void> {
    return this.#end('SIGQUIT')
  }

  /** Ends it in order; open connections are cut. */
  stop(): Promise<void> {
    return this.#end('SIGINT')
  }

  /** Stops it, and removes its folder. */
  async remove(): Promise<void> {
    await this.stop()
    running.delete(this)
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** The same at once, without waiting. */
  abandon(): void {
    this.#process?.kill('SIGQUIT')
    // Its processes end meanwhile, and may still write.
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }

  #makeData(): string {
    const data = join(this.folder, 'data')
    mkdirSync(data, { mode: 0o700 })
    if (this.user) chownSync(data, this.user.uid, this.user.gid)
    return data
  }

  get #address(): readonly string[] {
    return ['-h', '127.0.0.1', '-p', String(this.port), '-U', 'secsctl']
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const server = this.#process
    this.#process = undefined
    if (!server || server.exitCode !== null) return
    const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
    server.kill(signal)
    await ended
  }
}

/** As the flag `--store` takes it. */
export function withoutPassword(text: string): string {
  const url = new URL(text)
  url.password = ''
  return url.href
}

function fakedTime(file: string): Record<string, string> {
  const library = ['x86_64', 'aarch64']
    .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`)
    .find((path) => existsSync(path))
  if (library === undefined) throw new Error('libfaketime is missing: apt-get install faketime')
  const always = { FAKETIME_NO_CACHE: '1', FAKETIME_DONT_FAKE_MONOTONIC: '1' }
  return { LD_PRELOAD: library, FAKETIME_TIMESTAMP_FILE: file, ...always }
}

const DEFAULTS = { listen_addresses: '127.0.0.1', max_connections: '200', shared_buffers: '256MB' }
