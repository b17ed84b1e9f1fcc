import { GatewayClient, type Given } from '../client/client.js'
import { Unreachable } from '../client/failures.js'
import { isApiKey } from '../contract/api-key.js'
import type { AnyEndpoint, Call, Reply } from '../contract/endpoint.js'
import { endpoints } from '../contract/endpoints.js'
import type { Equipment, EquipmentQuery } from '../contract/equipment.js'
import { ERRORS, type ErrorCode, Problem } from '../contract/errors.js'
import type { Page } from '../contract/schema.js'
import { addressText } from '../inspection/dialling.js'
import { defined } from '../kit/defined.js'
import { shellWord } from '../kit/shell-word.js'
import { GLOBAL_FLAGS } from './base-command.js'
import { byName, equipmentNamed } from './equipment/equipment-name.js'
import {
  equipmentMatching,
  mayBeSeveral,
  TARGET_COLUMNS,
  type Token,
  wordsAboutAll,
} from './equipment/equipment-targets.js'
import { selectorGiven } from './equipment/label-flags.js'
import { namesOf } from './equipment/unreached.js'
import { Failure, wrongUsage } from './errors/failure.js'
import { timeoutGiven } from './messages/transaction-flags.js'
import { logInWithKept, logsInByItself, refusedHere } from './profile/kept-login.js'
import type { Secret } from './profile/keychain.js'
import type { Found, Server } from './profile/server.js'
import { SessionCommand } from './session-command.js'

/** A token that ends sooner than this is not used. */
const MIN_TOKEN_LEFT_MS = 60_000
/** A token that ends sooner than this is exchanged for a new one. */
const REFRESH_BELOW_MS = 3_600_000

/** Milliseconds that a gateway may take to respond before the user is asked to log in. */
const REACHABLE_TIMEOUT_MS = 5_000

/** The most records that one call returns. */
export const MAX_PAGE = 1000

/** A record of a list. */
export type RecordOf<E extends AnyEndpoint> = Reply<E> extends Page<infer Item> ? Item : never

/** A call about one equipment, without what every such call has. */
interface Asked<E extends AnyEndpoint> {
  readonly params?: Omit<Call<E>['params'], 'id'>
  readonly query?: Call<E>['query']
  readonly body?: Call<E>['body']
}

/** A command that talks to a gateway. */
export abstract class GatewayCommand extends SessionCommand {
  static override baseFlags = GLOBAL_FLAGS
  #client: GatewayClient | undefined
  readonly #waitedFor = new Set<ErrorCode>()

  /** The gateway that is meant; fails with `unreachable` when it is the local daemon and that does not run. */
  async server(): Promise<Server> {
    const server = await this.session.server()
    this.subject.server = await this.session.called(server)
    return server
  }

  /** A client with the token of the profile. */
  async client(): Promise<GatewayClient> {
    if (this.#client) return this.#client
    const server = await this.#server()
    const token = await this.#token(server)
    this.#client = await this.#newClient(server, token)
    return this.#client
  }

  /** A new client for the current address of the server, with a token that lasts. Asks no question. */
  async renewedClient(): Promise<GatewayClient> {
    const server = await this.server()
    this.#client = await this.#newClient(server, await this.#token(server))
    return this.#client
  }

  async #newClient({ url }: Server, token: string): Promise<GatewayClient> {
    const given = this.environment.variables['TRACEPARENT']
    const traceparent = given && (await import('../kit/text/traceparent.js')).traceparentOf(given)
    const onRepeat = (refusal: Problem): void => this.#waits(refusal)
    return new GatewayClient({ url, token, reason: this.#reason, traceparent, onRepeat, clock: this.clock })
  }

  /** Says once why the command waits: calls about several equipment may wait at the same time. */
  #waits({ code }: Problem): void {
    if (this.#waitedFor.has(code)) return
    this.#waitedFor.add(code)
    this.notice(`${ERRORS[code].title}. Nothing was done; trying again.`)
  }

  /** How a stream of the gateway continues after a loss; `missed` says what is not seen meanwhile. */
  persistence(missed = '') {
    return {
      renew: async () => (await this.renewedClient()).options,
      onLoss: (error: Error, wait: number) =>
        this.notice(`${error.message} ${missed}Trying again in ${wait / 1000} s.`),
    }
  }

  /** A client for endpoints without a login; a token of the environment is sent nevertheless. */
  async openClient(): Promise<GatewayClient> {
    const { variables } = this.environment
    if (variables['SECSCTL_TOKEN'] || variables['SECSCTL_TOKEN_FILE']) return this.client()
    return new GatewayClient({ url: (await this.#server()).url })
  }

  /** The equipment that `given` means. */
  async equipment(given: string): Promise<Equipment> {
    const all = await this.allEquipment()
    const isBegun = all.some(({ name }) => name.normalize().startsWith(given.normalize()))
    if (mayBeSeveral(given) && !isBegun)
      throw wrongUsage(`${this.subject.command} takes one equipment: "${given}" is a list or a pattern`)
    const found = equipmentNamed(given, all)
    this.subject.equipment = found.name
    const { connection_state, gateway_role } = found
    if (connection_state === 'CONNECTING' && gateway_role === 'active')
      this.subject.dialled = addressText(found)
    return found
  }

  async call<E extends AnyEndpoint>(endpoint: E, given: Given<E>): Promise<Reply<E>> {
    return (await this.client()).call(endpoint, given)
  }

  /** All records of a list, read page by page. */
  async *recordsOf<E extends AnyEndpoint>(
    endpoint: E,
    query: object = {},
  ): AsyncGenerator<RecordOf<E>, void> {
    let cursor: string | null | undefined
    while (cursor !== null) {
      const asked = { limit: MAX_PAGE, ...query, ...(cursor !== undefined && { cursor }) }
      const page = (await this.call(endpoint, { query: asked } as Given<E>)) as Page<RecordOf<E>>
      for (const record of page.items) yield record
      cursor = page.next_cursor
    }
  }

  /** Calls an endpoint about an equipment, or what names it, with `--timeout` and `--idempotency-key`. */
  async ask<E extends AnyEndpoint>(
    endpoint: E,
    equipment: string | Equipment,
    flags: { readonly timeout?: string | undefined; readonly 'idempotency-key'?: string | undefined } = {},
    given: Asked<E> = {},
  ): Promise<Reply<E>> {
    const { id } = typeof equipment === 'string' ? await this.equipment(equipment) : equipment
    const client = await this.client()
    const query = { ...timeoutGiven(flags.timeout), ...given.query }
    const full: object = { ...given, params: { id, ...given.params }, query }
    return client.call(endpoint, full as Given<E>, { idempotencyKey: flags['idempotency-key'] })
  }

  /** Several equipments by name, pattern or label, or all. */
  async chosen(given: readonly string[], all = false, selector?: string): Promise<readonly Equipment[]> {
    const ways = [given.length > 0, all, selector !== undefined].filter(Boolean).length
    if (ways === 0) throw wrongUsage('name equipment, or add --all or --selector')
    if (ways > 1) throw wrongUsage('names, --all and --selector do not go together')
    const registered = await this.allEquipment(selectorGiven(selector))
    if (all) return byName(registered)
    const found = selector === undefined ? equipmentMatching(given, registered) : byName(registered)
    if (found.length === 0)
      throw new Failure('missing', `no equipment matches --selector "${selector}"`, 'secsctl equipment list')
    if (found.length === 1) this.subject.equipment = found[0]?.name ?? ''
    return found
  }

  /** Whether a command goes on for these: `--dry-run` only lists them, and a change of several asks unless `--yes`. */
  async goesOn(
    chosen: readonly Equipment[],
    flags: { readonly yes?: boolean | undefined; readonly 'dry-run'?: boolean | undefined },
    asks: boolean,
    /** The words of the command, which say what it does to each. */
    raw: readonly Token[] = [],
  ): Promise<boolean> {
    if (flags['dry-run'] === true) {
      await this.printList(chosen, TARGET_COLUMNS, '')
      this.note(`${chosen.length} equipment; nothing was done.`)
      return false
    }
    const verb = [this.subject.command, wordsAboutAll(raw, this.ctor)].filter(Boolean).join(' ')
    const question = `${verb} for ${chosen.length} equipment (${namesOf(chosen)})?`
    if (asks) await this.confirmed(question, flags.yes === true)
    return true
  }

  /** Gives an equipment's name by its id; for a removed one the id, and for programs always. */
  async equipmentNames(): Promise<(id: string) => string> {
    if (this.format === 'json') return (id) => id
    const names = new Map((await this.allEquipment()).map(({ id, name }) => [id, name]))
    return (id) => names.get(id) ?? id
  }

  async allEquipment(query: EquipmentQuery = {}): Promise<readonly Equipment[]> {
    return (await this.call(endpoints.listEquipment, { query })).items
  }

  /** A failed connection is looked at once more: it may be about TLS. */
  protected override async catch(error: Error): Promise<never> {
    if (!(error instanceof Unreachable) || !URL.canParse(error.url)) return super.catch(error)
    const { withTlsAdvice } = await import('./profile/tls-advice.js')
    const { profile } = await this.session.target()
    const isUrl = (word: string | undefined): boolean => word === '--url'
    const words = this.argv.filter((word, at) => !/^--url(=|$)/.test(word) && !isUrl(this.argv[at - 1]))
    const typed = ['secsctl', ...(this.id ?? '').split(':'), ...words].map(shellWord).join(' ')
    return super.catch(await withTlsAdvice(error, profile, typed))
  }

  /** The value of `--reason`, where the command has it. */
  get #reason(): string | undefined {
    return (this.globals as { readonly reason?: string }).reason
  }

  /** The server; the daemon on this machine is started only when a person agrees, now or by `SECSCTL_AUTOSTART`. */
  async #server(): Promise<Server> {
    const { session } = this
    try {
      return await this.server()
    } catch (error) {
      if (!(error instanceof Failure) || error.kind !== 'unreachable') throw error
      const own = session.environment.variables
      const unasked = own['SECSCTL_AUTOSTART'] === '1'
      if (!unasked && !this.prompts.allowed) throw error
      const { DAEMON_START } = await import('./daemon/installed-service.js')
      if (error.hint !== DAEMON_START) throw error // a service is the gateway: no second one is started beside it
      const question = 'No daemon is running on this machine. Start it?'
      if (!unasked && !(await this.prompts.confirm(question, error.message))) throw error
      const { startLocal, toldBy, WAITING } = await import('./daemon/daemon-start.js')
      const { asBefore } = await import('./daemon/settings/as-before.js')
      const { readLastAddress } = await import('../daemon/address-file.js')
      // A daemon that was killed, or worked on a database: its records, its port and its TLS are used again.
      const last = await readLastAddress(session.folders.state)
      const { given, variables } = last ? await asBefore(last, own) : { given: {}, variables: own }
      const { address } = await this.during(`starting the daemon: ${WAITING}`, (progress) =>
        startLocal(session, given, variables, toldBy(progress)),
      )
      this.note(`The daemon is running at ${address.url}.`)
      return this.server()
    }
  }

  async #token(server: Server): Promise<string> {
    const found = await this.session.token(server)
    const given = found?.source === 'SECSCTL_TOKEN' || found?.source === 'SECSCTL_TOKEN_FILE'
    if (given && found.token) {
      this.subject.tokenFrom = found.source
      return found.token
    }
    const ends = found?.expires_at === undefined ? Number.POSITIVE_INFINITY : Date.parse(found.expires_at)
    const left = ends - this.clock.date().getTime()
    if (found?.session_token) return this.#ofSession(server, found, left)
    if (found?.token && left > MIN_TOKEN_LEFT_MS)
      return left > REFRESH_BELOW_MS || isApiKey(found.token)
        ? found.token
        : this.#refreshed(server, found.token, found.secret)
    if (found?.secret && logsInByItself(server, found)) {
      const { token, expires_at } = await logInWithKept(this.session, server, found.secret)
      await this.session.keep(server, { token, expires_at, secret: found.secret })
      return token
    }
    await requireReachable(server.url)
    if (found?.token) {
      const what = isApiKey(found.token) ? 'API key' : 'login'
      throw new Problem('token_expired', `The ${what} that is kept here has expired.`)
    }
    if (found?.secret?.refused) throw refusedHere(server, found.secret)
    throw new Problem('unauthenticated', `Nobody is logged in to ${server.url}.`)
  }

  /** The token of a session of company accounts, which is continued when the token ends soon. */
  async #ofSession(server: Server, found: Found, left: number): Promise<string> {
    if (found.token && left > MIN_TOKEN_LEFT_MS) return found.token
    const { continued } = await import('./profile/sign-on.js')
    const { flags } = await this.session.called(server)
    try {
      return await continued(this.session, server, found, `secsctl login${flags}`)
    } catch (error) {
      // The identity provider may be away: the token is used as long as it lasts.
      const { code } = error as { readonly code?: unknown }
      if (found.token && left > 0 && code === 'sso_unavailable') return found.token
      throw error
    }
  }

  /** Exchanges a token that ends soon. One that cannot be exchanged is used as long as it lasts. */
  async #refreshed(server: Server, token: string, secret: Secret | undefined): Promise<string> {
    try {
      const fresh = await new GatewayClient({ url: server.url, token }).call(endpoints.refresh, {})
      await this.session.keep(server, defined({ token: fresh.token, expires_at: fresh.expires_at, secret }))
      return fresh.token
    } catch {
      return token
    }
  }
}

/** Throws `Unreachable` when no server responds: a login would not help. */
async function requireReachable(url: string): Promise<void> {
  await new GatewayClient({ url, timeout: REACHABLE_TIMEOUT_MS }).request('GET', '/readyz')
}
