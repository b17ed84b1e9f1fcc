import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../support/free-port.js'

const PROGRAM = fileURLToPath(new URL('./oidc-provider-process.mjs', import.meta.url))

export const CLIENT = { id: 'secsctl', secret: 'a secret of a client that only the test has' } as const

/** A user of the provider: its claims, and whether it is disabled. */
export interface ProviderUser {
  readonly groups?: readonly string[]
  readonly email?: string
  readonly disabled?: boolean
  readonly [claim: string]: unknown
}

export interface ProviderOptions {
  /** Of the gateway, for the redirect address. */
  readonly publicUrls: readonly string[]
  readonly tls?: { readonly cert: string; readonly key: string }
  /** The claims that the scope `openid` gives; the groups when left out. */
  readonly claims?: readonly string[]
}

/** A real identity provider (`oidc-provider`) as a process of its own. */
export class TestProvider {
  readonly #folder = mkdtempSync(join(tmpdir(), 'secsctl-oidc-'))
  #child: ChildProcess | undefined
  #users: Readonly<Record<string, ProviderUser>> = {}
  #asked = 0

  private constructor(
    readonly issuer: string,
    readonly port: number,
    readonly options: ProviderOptions,
  ) {}

  static async start(options: ProviderOptions): Promise<TestProvider> {
    const port = await freePort()
    const scheme = options.tls ? 'https' : 'http'
    const provider = new TestProvider(`${scheme}://127.0.0.1:${port}`, port, options)
    await provider.begin()
    return provider
  }

  /** Starts the process, also again after `kill`: what it has issued is still there. */
  async begin(): Promise<void> {
    const { issuer, port, options } = this
    const paths = (path: string) => options.publicUrls.map((url) => `${url}${path}`)
    const clients = [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: paths('/api/v1/auth/sso/callback'),
        post_logout_redirect_uris: paths('/'),
        response_types: ['code'],
        grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
        backchannel_logout_uri: `${options.publicUrls[0]}/api/v1/auth/sso/backchannel-logout`,
        backchannel_logout_session_required: true,
      },
    ]
    const { tls, claims } = options
    const given = { issuer, port, clients, tls, claims, file: join(this.#folder, 'issued.json') }
    const child = fork(PROGRAM, [JSON.stringify(given)], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
    this.#child = child
    let log = ''
    child.stderr?.on('data', (text: Buffer) => {
      log += text.toString()
    })
    await new Promise<void>((resolve, reject) => {
      child.once('message', () => resolve())
      child.once('exit', (code) => reject(new Error(`the provider ended with ${code}: ${log}`)))
    })
    await this.setUsers(this.#users)
  }

  async setUsers(users: Readonly<Record<string, ProviderUser>>): Promise<void> {
    this.#users = users
    await this.#act('users', users)
  }

  /** The provider signs with another key from now on, and publishes that alone. */
  async rotate(): Promise<void> {
    await this.#act('rotate', {})
  }

  /** The provider tells its client that a user, or one session, is logged out; the form that it sent. */
  logout(subject: string, sid?: string): Promise<unknown> {
    return this.#act('logout', { client: CLIENT.id, subject, sid })
  }

  /** Ends the process at once. */
  async kill(): Promise<void> {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await ended
  }

  async dispose(): Promise<void> {
    await this.kill()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #act(act: string, given: unknown): Promise<unknown> {
    const id = ++this.#asked
    return new Promise((resolve, reject) => {
      const take = (message: {
        readonly id: unknown
        readonly error?: string
        readonly result?: unknown
      }): void => {
        if (message.id !== id) return
        this.#child?.off('message', take)
        if (message.error === undefined) resolve(message.result)
        else reject(new Error(message.error))
      }
      this.#child?.on('message', take)
      this.#child?.send({ id, act, given })
    })
  }
}
