import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GatewayClient } from '../../../src/client/client.js'
import { endpoints } from '../../../src/contract/endpoints.js'
import type { SignOnLogin } from '../../../src/contract/topics/accounts/sign-on.js'
import type { DaemonOptions, RunningDaemon } from '../../../src/daemon/daemon.js'
import type { SignOnSettings } from '../../../src/gateway/sign-on/sign-on-settings.js'
import { type Clock, systemClock } from '../../../src/kit/clock.js'
import { DAEMON_ADMIN, startDaemonHere } from '../../support/daemon-here.js'
import { CLIENT, type TestProvider } from './identity-provider.js'
import { signedOnByDevice } from './page-sign-on.js'

export const ENGINEERS = 'fab-etch-eng'
export const ADMINS = 'fab-admins'
/** What the provider says of an engineer. */
export const ANN = { groups: [ENGINEERS], email: 'ann@fab.example', email_verified: true }

/** The settings of a gateway whose users are those of the provider. */
export const signOnSettings = (
  { issuer }: Pick<TestProvider, 'issuer'>,
  publicUrl: string,
  given: Partial<SignOnSettings> = {},
): SignOnSettings => ({
  issuer,
  clientId: CLIENT.id,
  clientSecret: CLIENT.secret,
  scopes: ['openid', 'profile', 'email'],
  groupsClaim: 'groups',
  name: 'Fab accounts',
  publicUrl,
  tokenSeconds: 600,
  sessionMs: 12 * 60 * 60_000,
  rules: [
    { group: ADMINS, role: 'admin', labels: null },
    { group: ENGINEERS, role: 'engineer', labels: 'area=etch' },
  ],
  ...given,
})

/** A daemon in this process whose users sign on with a provider. */
export class SignOnSite {
  readonly #folder = mkdtempSync(join(tmpdir(), 'secsctl-sso-'))

  private constructor(
    readonly url: string,
    readonly options: Partial<DaemonOptions>,
    private daemon: RunningDaemon | undefined,
  ) {}

  /** Milliseconds by which the clock of the daemon is ahead. */
  #ahead = 0
  readonly #clock: Clock = {
    now: () => systemClock.now() + this.#ahead,
    date: () => new Date(systemClock.date().getTime() + this.#ahead),
    at: (at, run) => systemClock.at(at - this.#ahead, run),
  }

  /** Time passes in which the answer of the provider, and its keys, get old. */
  later(): void {
    this.#ahead += 10_000
  }

  static async start(port: number, options: Partial<DaemonOptions>): Promise<SignOnSite> {
    const site = new SignOnSite(`http://127.0.0.1:${port}`, { port, ...options }, undefined)
    await site.restart()
    return site
  }

  /** Starts the daemon again over the same records. */
  async restart(given: Partial<DaemonOptions> = {}): Promise<void> {
    await this.daemon?.stop()
    this.daemon = await startDaemonHere(this.#folder, { clock: this.#clock, ...this.options, ...given })
  }

  client(token?: string): GatewayClient {
    return new GatewayClient({ url: this.url, token })
  }

  /** A client of the local administrator. */
  async admin(): Promise<GatewayClient> {
    return this.client((await this.client().call(endpoints.login, { body: DAEMON_ADMIN })).token)
  }

  signOn(user: string): Promise<SignOnLogin> {
    return signedOnByDevice(this.url, user, this.options.signOn?.ca)
  }

  refresh({ session_token }: Pick<SignOnLogin, 'session_token'>): Promise<SignOnLogin> {
    return this.client().call(endpoints.refreshSignOn, { body: { session_token } })
  }

  async dispose(): Promise<void> {
    await this.daemon?.stop()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
