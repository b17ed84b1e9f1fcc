import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../support/free-port.js'
import { until } from '../support/until.js'

const run = promisify(execFile)
const PROGRAM = '/usr/sbin/mosquitto'

/** The user that Debian's package makes: as root mosquitto would change to it, and could not read its files. */
async function unprivileged(): Promise<{ readonly uid: number; readonly gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const id = async (what: string): Promise<number> => Number((await run('id', [what, 'mosquitto'])).stdout)
  return { uid: await id('-u'), gid: await id('-g') }
}

/** A Mosquitto broker in a folder and on a port of its own, which keeps sessions and retained messages on disk. */
export class Mosquitto {
  #process: ChildProcess | undefined

  private constructor(
    readonly folder: string,
    readonly port: number,
    private readonly user: { readonly uid: number; readonly gid: number } | undefined,
  ) {}

  /** `settings`: further lines of its configuration, with the names of files that `files` has. */
  static async start(
    settings: (folder: string) => readonly string[] = () => [],
    files: Readonly<Record<string, string>> = {},
  ): Promise<Mosquitto> {
    if (!existsSync(PROGRAM)) throw new Error('Mosquitto is missing: apt-get install mosquitto')
    const user = await unprivileged()
    const folder = mkdtempSync(join(tmpdir(), 'secsctl-mosquitto-'))
    const broker = new Mosquitto(folder, await freePort(), user)
    const own = [
      'persistence true',
      `persistence_location ${folder}/`,
      'autosave_interval 1',
      'log_dest stderr',
    ]
    const given = settings(folder)
    const access = given.some((line) => line.startsWith('password_file')) ? [] : ['allow_anonymous true']
    const lines = [`listener ${broker.port} 127.0.0.1`, ...own, ...access, ...given]
    const all = { ...files, 'mosquitto.conf': `${lines.join('\n')}\n` }
    for (const [name, text] of Object.entries(all)) {
      writeFileSync(join(folder, name), text, { mode: 0o600 })
      if (user) chownSync(join(folder, name), user.uid, user.gid)
    }
    if (user) chownSync(folder, user.uid, user.gid)
    // It takes passwords that are hashed only.
    if (files['passwords'] !== undefined)
      await run('mosquitto_passwd', ['-U', join(folder, 'passwords')], user)
    await broker.resume()
    return broker
  }

  get url(): string {
    return `mqtt://127.0.0.1:${this.port}`
  }

  /** Starts it again after `kill`. */
  async resume(): Promise<void> {
    const { folder, port, user } = this
    this.#process = spawn(PROGRAM, ['-c', join(folder, 'mosquitto.conf')], { ...user, stdio: 'ignore' })
    await until(() => accepts(port))
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const ending = this.#process
    this.#process = undefined
    if (!ending || ending.exitCode !== null) return
    const ended = new Promise((resolve) => ending.once('exit', resolve))
    ending.kill(signal)
    await ended
  }

  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#process?.kill(signal)
  }

  async remove(): Promise<void> {
    await this.kill()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.once('close', () => socket.destroy())
    socket.once('connect', () => socket.end())
  })
