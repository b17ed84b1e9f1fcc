import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ended, lineOf } from '../support/secsctl.js'
import { until } from '../support/until.js'

/** How a user's session keeps secrets. */
export type Keeping =
  /** A keyring that is open, as after logging in to a desktop. */
  | 'unlocked'
  /** A keyring that nobody is there to open, as over ssh. */
  | 'locked'
  /** A session bus that has no such service. */
  | 'none'
  /** A service that takes calls and never answers. */
  | 'silent'

const NAME = 'org.freedesktop.secrets'

/** A user's home and session bus of their own, with GNOME's keyring on it. */
export class UserSession {
  readonly home = mkdtempSync(join(tmpdir(), 'secsctl-test-'))
  #bus: ChildProcess | undefined
  #keyring: ChildProcess | undefined
  #address: string | undefined

  private constructor() {
    mkdirSync(this.#runtime, { mode: 0o700 })
  }

  /** Without a session bus at all. */
  static bare(): UserSession {
    return new UserSession()
  }

  static async open(keeping: Keeping): Promise<UserSession> {
    const session = new UserSession()
    try {
      if (keeping === 'none') session.#offer('exit 1')
      if (keeping === 'silent') session.#offer('exec sleep 10')
      await session.#startBus()
      if (keeping === 'unlocked') await session.unlock()
      return session
    } catch (error) {
      await session.close()
      throw error
    }
  }

  get #runtime(): string {
    return join(this.home, 'run')
  }

  /** What a command of this user finds in its environment. */
  get env(): Record<string, string> {
    return {
      HOME: this.home,
      SECSCTL_HOME: '',
      XDG_RUNTIME_DIR: this.#runtime,
      ...(this.#address !== undefined && { DBUS_SESSION_BUS_ADDRESS: this.#address }),
    }
  }

  /** Opens the keyring; the first time makes it. */
  async unlock(): Promise<void> {
    const keyring = this.#spawn('gnome-keyring-daemon', ['--foreground', '--unlock', '--components=secrets'])
    this.#keyring = keyring
    keyring.stdin?.end('the password of the login')
    // Waited for, not asked for: the bus would start one of its own, which is locked.
    await until(async () => (await this.#ask('NameHasOwner', `string:${NAME}`)).includes('boolean true'))
  }

  /** Ends the keyring's service; the bus starts one that is locked when it is asked for. */
  async lock(): Promise<void> {
    await end(this.#keyring)
    this.#keyring = undefined
  }

  async close(): Promise<void> {
    await end(this.#keyring)
    await end(this.#bus)
    rmSync(this.home, { recursive: true, force: true })
  }

  /** True when a service was asked for and the stand-in for it was started. */
  get standInAsked(): boolean {
    return existsSync(this.#asked)
  }

  get #asked(): string {
    return join(this.home, 'asked')
  }

  /** Has the bus start a stand-in for the service. */
  #offer(script: string): void {
    const folder = join(this.#runtime, 'dbus-1', 'services')
    mkdirSync(folder, { recursive: true })
    const service = `[D-BUS Service]\nName=${NAME}\nExec=/bin/sh -c "touch ${this.#asked}; ${script}"\n`
    writeFileSync(join(folder, `${NAME}.service`), service)
  }

  async #startBus(): Promise<void> {
    this.#bus = this.#spawn('dbus-daemon', ['--session', '--nofork', '--print-address'])
    this.#address = await lineOf(this.#bus, /^unix:/)
  }

  /** What the bus answers to a method of its own. */
  async #ask(method: string, ...values: readonly string[]): Promise<string> {
    const bus = ['--session', '--print-reply', '--dest=org.freedesktop.DBus', '/org/freedesktop/DBus']
    const asked = this.#spawn('dbus-send', [...bus, `org.freedesktop.DBus.${method}`, ...values])
    const { code, stdout } = await ended(asked)
    if (code !== 0) throw new Error(`the bus did not do ${method}`)
    return stdout
  }

  #spawn(command: string, args: readonly string[]): ChildProcess {
    const { PATH } = process.env
    const child = spawn(command, args, { env: { ...(PATH !== undefined && { PATH }), ...this.env } })
    child.stdin.on('error', () => {}) // ended before it had read
    child.stdout.resume()
    child.stderr.resume()
    return child
  }
}

async function end(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const exit = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL') // GNOME's keyring takes no other signal while it waits
  await exit
}
