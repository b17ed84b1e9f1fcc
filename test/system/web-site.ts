import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import type { Page as ListPage } from '../../src/contract/schema.js'
import { ADMIN, DaemonProcess, Home } from '../support/daemon-process.js'
import { freePort } from '../support/free-port.js'
import { until } from '../support/until.js'
import { launchChromium } from './chromium.js'

export interface SiteOptions {
  /** Simulated etchers of the fleet. */
  readonly tools: number
  /** Reports per second of all together. */
  readonly rate?: number
}

/** Time for the start of each of many, on a machine that does other things as well. */
const MS_PER_TOOL = 1000

/** A daemon, a fleet of simulated equipment and Chromium: what a test of the web page needs. */
export class WebSite {
  readonly #home = new Home()
  readonly #children: ChildProcess[] = []
  #daemon: DaemonProcess | undefined
  #browser: Browser | undefined
  /** The end of what the commands that it runs have said. */
  #said = ''
  port = 0
  controlPort = 0
  token = ''

  static async start(options: SiteOptions): Promise<WebSite> {
    const site = new WebSite()
    try {
      await site.#start(options)
      return site
    } catch (error) {
      await site.close()
      throw error
    }
  }

  async #start({ tools, rate = 0 }: SiteOptions): Promise<void> {
    this.port = await freePort()
    await this.startDaemon()
    const { token } = await this.call<{ token: string }>('POST', '/auth/login', ADMIN)
    this.token = token
    this.controlPort = await freePort()
    this.#browser = await launchChromium()
    if (tools === 0) return
    const fleet = this.run(
      ...['simulator', 'fleet', String(tools), 'etcher', '--register', '--port', '0'],
      ...['--rate', String(rate), '--control', String(this.controlPort)],
    )
    const isOver = once(fleet, 'exit').then(() => true)
    if ((await Promise.race([this.untilCommunicating(tools), isOver])) === true)
      throw new Error(`the fleet has ended: ${this.#said}`)
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** The process of the daemon. */
  get daemonId(): number {
    return this.#daemon?.child.pid ?? 0
  }

  get browser(): Browser {
    if (!this.#browser) throw new Error('the browser is not started')
    return this.#browser
  }

  async startDaemon(): Promise<void> {
    this.#daemon = await DaemonProcess.start(this.#home, ['--port', String(this.port)])
  }

  async stopDaemon(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    await this.#daemon?.end(signal)
  }

  /** Starts a command of the command line that stays, with the rights of the administrator. */
  run(...args: readonly string[]): ChildProcess {
    const env = { ...this.#home.env, SECSCTL_TOKEN: this.token, SECSCTL_URL: this.url }
    const child = spawn(process.execPath, ['bin/run.js', ...args], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    child.stderr.on('data', (bytes) => {
      this.#said = `${this.#said}${bytes}`.slice(-2000)
    })
    this.#children.push(child)
    return child
  }

  /** A call of the API as the administrator, or with another token. */
  async call<T>(method: string, path: string, body?: object, token = this.token): Promise<T> {
    const answer = await fetch(`${this.url}/api/v1${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(token && { authorization: `Bearer ${token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return (answer.status === 204 ? undefined : await answer.json()) as T
  }

  list<T>(path: string): Promise<ListPage<T>> {
    return this.call<ListPage<T>>('GET', path)
  }

  /** Waits until so many are COMMUNICATING. */
  async untilCommunicating(count: number): Promise<void> {
    await until(
      async () => {
        const { items } = await this.list<{ communication_state: string }>('/equipment')
        const ready = items.filter(({ communication_state }) => communication_state === 'COMMUNICATING')
        return ready.length >= count
      },
      Math.max(90_000, count * MS_PER_TOOL),
    )
  }

  /** Gives a command to equipment of the fleet, by name or pattern, such as `etcher-* alarm 4001 set`. */
  tell(...commands: readonly string[]): Promise<void> {
    const socket = connect(this.controlPort, '127.0.0.1')
    let answered = 0
    return new Promise((resolve, reject) => {
      socket.once('error', reject)
      socket.setEncoding('utf8').on('data', (text: string) => {
        answered += text.split('\n').length - 1
        if (answered < commands.length) return
        socket.destroy()
        resolve()
      })
      socket.write(commands.map((command) => `${command}\n`).join(''))
    })
  }

  /** Logs in on a page as its users do. */
  async logIn(page: Page, path = '/', { email, password }: { email: string; password: string } = ADMIN) {
    await page.goto(`${this.url}${path}`)
    // The API is shown to anybody.
    if (path.startsWith('/api')) await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByLabel('Email', { exact: true }).fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('button', { name: 'Log out' }).waitFor()
  }

  async close(): Promise<void> {
    await this.#browser?.close()
    for (const child of this.#children) child.kill('SIGKILL')
    await this.stopDaemon('SIGKILL')
    this.#home.dispose()
  }
}
