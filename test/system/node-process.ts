import { onTestFinished } from 'vitest'
import { ADMIN, DaemonProcess, Home } from '../support/daemon-process.js'
import { PlainClient } from '../support/plain-client.js'
import { until } from '../support/until.js'

/** One daemon of several on a database, which can be started again after its end. */
export class NodeProcess {
  readonly home = new Home()
  #daemon: DaemonProcess | undefined
  #client: PlainClient | undefined

  private constructor(
    readonly name: string,
    readonly flags: readonly string[],
  ) {}

  /** `store`: the flags of its database. */
  static async start(name: string, store: readonly string[], lease = '10s'): Promise<NodeProcess> {
    const own = ['--node-name', name, '--lease', lease, '--hsms-host', '127.0.0.1']
    const node = new NodeProcess(name, [...store, ...own])
    onTestFinished(async () => {
      // One that was stopped takes no other signal.
      await node.daemon.end('SIGKILL')
      node.home.dispose()
    })
    await node.start()
    return node
  }

  get daemon(): DaemonProcess {
    if (!this.#daemon) throw new Error(`${this.name} was not started`)
    return this.#daemon
  }

  /** Logged in as the administrator. */
  get client(): PlainClient {
    if (!this.#client) throw new Error(`${this.name} was not started`)
    return this.#client
  }

  async start(): Promise<void> {
    this.#daemon = await DaemonProcess.start(this.home, this.flags)
    const client = new PlainClient(this.#daemon.url)
    // Until one of the daemons has the duties of the site, nobody can log in.
    this.#client = await until(() => client.login(ADMIN).catch(() => undefined))
  }

  /** Resolves with the exit code or the signal with which its process has ended. */
  ended(): Promise<number | string> {
    const { child } = this.daemon
    const end = child.exitCode ?? child.signalCode
    if (end !== null) return Promise.resolve(end)
    return new Promise((resolve) => child.once('exit', (code, by) => resolve(code ?? by ?? '')))
  }
}
