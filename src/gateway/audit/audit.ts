import type { Page } from '../../contract/schema.js'
import type { AuditEntry, AuditQuery } from '../../contract/topics/audit.js'
import type { Clock } from '../../kit/clock.js'
import { networkOf } from '../../kit/network.js'
import { comparableEmail } from '../../kit/text/email.js'
import type { JsonObject } from '../../kit/text/json.js'
import type { Entry } from '../../store/entry.js'
import type { RetentionPolicy } from '../../store/files/retention/retention-policy.js'
import type { Journal } from '../../store/journal.js'
import type { Caller } from '../accounts/caller.js'
import { type Keys, readPage } from '../records/journal-page.js'
import { RefusalBudget } from './refusal-budget.js'

/** A call as the audit records it. */
export interface AuditedCall {
  /** The name of its endpoint. */
  readonly action: string
  /** The equipment that it is about; null for none. */
  readonly equipment_id: string | null
  readonly user: string | null
  readonly api_key: { readonly id: string; readonly name: string } | null
  readonly address: string | null
  readonly request_id: string | null
  readonly reason: string | null
  readonly details: JsonObject
}

/** How a call ended. */
export interface AuditedEnd {
  readonly status: number
  readonly code: string | null
  readonly message_id: string | null
  /** Of a call that added an equipment: its id. */
  readonly equipment_id?: string
}

interface Refusal {
  readonly call: AuditedCall
  readonly end: AuditedEnd
}

export interface AuditParts {
  /** A journal of its own, with a retention of its own. */
  readonly journal: Journal
  readonly clock: Clock
  /** Current name of an equipment; undefined for one that is not registered. */
  readonly nameOf: (equipmentId: string) => string | undefined
  /** The equipment of an alarm, by the alarm's id. */
  readonly equipmentOf: (alarmId: string) => Promise<string | undefined>
}

/** How long entries are kept, whatever the retention of the journal is; the bytes bound what users can add. */
export const AUDIT_RETENTION: RetentionPolicy = { maxAge: 366 * 24 * 60 * 60_000, maxBytes: 1024 ** 3 }

const CALL = 'audit'
const END = 'audit_end'

/** Entries an hour: 60 × 2 + 1 for failed logins are 320 MB a year at most, so they cannot displace all others. */
const MAX_FAILED_LOGINS = { ofSource: 20, all: 60 }
const MAX_FORBIDDEN = { ofSource: 60, all: 600 }

/** A call may last that long: the longest timeout, and what is sent before and after it. */
const MAX_CALL_MS = 60 * 60_000

/** Who did what: one entry for each call that may change something, in a journal of its own. */
export class Audit {
  readonly #failedLogins: RefusalBudget<Refusal>
  readonly #forbidden: RefusalBudget<Refusal>
  /** Resolves when the ends that were recorded so far are on disk. */
  #ended: Promise<unknown> = Promise.resolve()

  constructor(readonly parts: AuditParts) {
    const { clock } = parts
    const summarised = (first: Refusal | undefined, count: number, otherwise: Refusal): void => {
      const { call, end } = first ?? otherwise
      const several = { ...call, request_id: null, reason: null, details: {} }
      this.#record(several, { end, count }).catch(() => {})
    }
    this.#failedLogins = new RefusalBudget(clock, MAX_FAILED_LOGINS, ({ first, count }) =>
      summarised(first && { ...first, call: { ...first.call, user: null } }, count, MANY_LOGINS),
    )
    this.#forbidden = new RefusalBudget(clock, MAX_FORBIDDEN, ({ first, count }) =>
      summarised(first, count, MANY_FORBIDDEN),
    )
  }

  /** Resolves with the number of the entry once it is on disk: only then may the call be carried out. */
  async begin(call: AuditedCall): Promise<number> {
    return (await this.#record(call)).seq
  }

  /** Records how the call with this entry ended. Nobody waits for it but readers of the audit. */
  ended(seq: number, { action, equipment_id }: AuditedCall, end: AuditedEnd): void {
    const data: JsonObject = { of: seq, ...end }
    const { journal } = this.parts
    // If the disk fails, the gateway ends, and the call has no known end.
    this.#ended = journal
      .append({ type: END, name: action, key: equipment_id ?? '', at: this.#at(), data })
      .catch(() => {})
  }

  /** Records a login that succeeded; its token may be given away when this has resolved. */
  async loggedIn(call: AuditedCall): Promise<void> {
    await this.#record(call, { end: { status: 200, code: null, message_id: null } })
  }

  /** Records a login that failed, or counts it where too many from this network, or from all, failed in this hour. */
  async loginFailed(call: AuditedCall, end: AuditedEnd): Promise<void> {
    const network = networkOf(call.address ?? '')
    if (this.#failedLogins.admits(network, { call, end })) await this.#record(call, { end })
  }

  /** Records a call that is not for this caller, by the role or since it is an API key, or counts it in the same way. */
  async forbidden(caller: Caller, call: AuditedCall, code: string): Promise<void> {
    const end = { ...FORBIDDEN, code }
    if (this.#forbidden.admits(caller.id, { call, end })) await this.#record(call, { end })
  }

  /** The equipment of an alarm; null where there is none. */
  async equipmentOf(alarmId: string): Promise<string | null> {
    return (await this.parts.equipmentOf(alarmId)) ?? null
  }

  /** `keys`: the equipment, where the query alone does not say it. Throws `invalid_cursor` and `cursor_expired`. */
  async list(query: AuditQuery, keys?: Keys): Promise<Page<AuditEntry>> {
    const { user, api_key, action, after } = query
    const topics = [
      ...(user === undefined ? [] : [comparableEmail(user)]),
      ...(api_key === undefined ? [] : [topicOfKey(api_key)]),
    ]
    const matching = {
      kinds: action ? action.map((name) => ({ type: CALL, name })) : [{ type: CALL }],
      ...(topics.length > 0 && { topics: new Set(topics) }),
      ...(after !== undefined && { after }),
    }
    const { entries, next_cursor } = await readPage(this.parts.journal, 'audit', query, matching, keys)
    const ends = await this.#endsOf(entries)
    return { items: entries.map((entry) => this.#view(entry, ends.get(entry.seq))), next_cursor }
  }

  /** Records the numbers of what was only counted. */
  close(): void {
    this.#failedLogins.end()
    this.#forbidden.end()
  }

  #record(
    { action, equipment_id, ...call }: AuditedCall,
    { end, count = 1 }: { readonly end?: AuditedEnd; readonly count?: number } = {},
  ): Promise<Entry> {
    const data: JsonObject = { ...call, ...(end && { end: { ...end } }), ...(count > 1 && { count }) }
    const topic = topicOf(call)
    const kind = { type: CALL, name: action, key: equipment_id ?? '', ...(topic !== undefined && { topic }) }
    return this.parts.journal.append({ ...kind, at: this.#at(), data })
  }

  /** The ends of calls that were recorded without theirs, by the number of the call's entry. */
  async #endsOf(entries: readonly Entry[]): Promise<ReadonlyMap<number, AuditedEnd>> {
    const open = new Set(entries.filter(({ data }) => data['end'] === undefined).map(({ seq }) => seq))
    if (open.size === 0) return new Map()
    await this.#ended
    const latest = Math.max(...entries.map(({ at }) => Date.parse(at)))
    const found = await this.parts.journal.query({
      kinds: [{ type: END }],
      after: Math.min(...open),
      to: new Date(latest + MAX_CALL_MS).toISOString(),
      order: 'asc',
      limit: open.size,
      where: ({ data }) => open.has(Number(data['of'])),
    })
    return new Map(found.map(({ data }) => [Number(data['of']), data as unknown as AuditedEnd]))
  }

  #view({ seq, at, name, key, data }: Entry, later: AuditedEnd | undefined): AuditEntry {
    const call = data as unknown as Omit<AuditedCall, 'action'> & { end?: AuditedEnd; count?: number }
    const end = call.end ?? later
    const equipment_id = key === '' ? (end?.equipment_id ?? null) : key
    return {
      id: String(seq),
      at,
      action: name,
      user: call.user,
      api_key: call.api_key ?? null,
      address: call.address,
      request_id: call.request_id,
      reason: call.reason,
      equipment_id,
      equipment_name: (equipment_id !== null && this.parts.nameOf(equipment_id)) || null,
      details: call.details,
      status: end?.status ?? null,
      code: end?.code ?? null,
      message_id: end?.message_id ?? null,
      count: call.count ?? 1,
    }
  }

  #at(): string {
    return this.parts.clock.date().toISOString()
  }
}

/** By what the calls of a user or an API key are found. */
const topicOf = ({ user, api_key }: Pick<AuditedCall, 'user' | 'api_key'>): string | undefined =>
  api_key ? topicOfKey(api_key.name) : user === null ? undefined : comparableEmail(user)

/** No email: it has no @. */
const topicOfKey = (name: string): string => `key:${name}`

const FORBIDDEN: AuditedEnd = { status: 403, code: 'forbidden', message_id: null }

const NOBODY = {
  equipment_id: null,
  user: null,
  api_key: null,
  address: null,
  request_id: null,
  reason: null,
  details: {},
}
const MANY_LOGINS: Refusal = {
  call: { ...NOBODY, action: 'login' },
  end: { status: 401, code: 'invalid_credentials', message_id: null },
}
const MANY_FORBIDDEN: Refusal = { call: { ...NOBODY, action: 'several' }, end: FORBIDDEN }
