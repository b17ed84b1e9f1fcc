import type { Page } from '../../contract/schema.js'
import type { AuditEntry, AuditQuery } from '../../contract/topics/audit.js'
import type { Clock } from '../../kit/clock.js'
import { networkOf } from '../../kit/network.js'
import { comparableEmail } from '../../kit/text/email.js'
import type { JsonObject } from '../../kit/text/json.js'
import { instantText } from '../../kit/time-text.js'
import type { Entry, NewEntry } from '../../store/entry.js'
import { Unsettled } from '../../store/failure.js'
import type { Journal } from '../../store/journal.js'
import type { RetentionPolicy } from '../../store/retention-policy.js'
import type { Caller } from '../accounts/caller.js'
import { CALLED, KEYS_TAKEN } from '../records/journal-kinds.js'
import { type Keys, readPage } from '../records/journal-page.js'
import type { AuditedCall, AuditedEnd } from './audited-call.js'
import { CallCopies, type RecordedCall, SENT, topicOf, topicOfKey } from './call-copies.js'
import { LateEntries } from './late-entries.js'
import { RefusalBudget } from './refusal-budget.js'
import { SentCall } from './sent-call.js'

interface Refusal {
  readonly call: AuditedCall
  readonly end: AuditedEnd
}

export interface AuditParts {
  /** A journal of its own, with a retention of its own. */
  readonly journal: Journal
  readonly clock: Clock
  /** Current name of an equipment, or the last one of one that is gone; undefined where none is known. */
  readonly nameOf: (equipmentId: string) => string | undefined
  /** The equipment of an alarm or a message, by its id. */
  readonly equipmentOf: (id: string) => Promise<string | undefined>
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
  /** Ends and copies. If they are lost, copies are made when the gateway opens again, and calls have no known end. */
  readonly #late: LateEntries
  readonly #copies: CallCopies

  constructor(readonly parts: AuditParts) {
    const { clock, journal } = parts
    this.#late = new LateEntries(journal, clock)
    this.#copies = new CallCopies(journal, this.#late)
    const summarised = (first: Refusal | undefined, count: number, otherwise: Refusal): void => {
      const { call: one, end } = first ?? otherwise
      const { traceparent: _, ...call } = one
      const several = { ...call, request_id: null, reason: null, details: {} }
      this.#late.add(this.#entryOf(several, { end, count }))
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
    try {
      return (await this.#record(call)).seq
    } catch (error) {
      // Recorded later, it has an end.
      if (error instanceof Unsettled)
        void error.settled.then((entries) => entries?.[0] && this.ended(entries[0].seq, call, NOT_BEGUN))
      throw error
    }
  }

  /** Records how the call with this entry ended. Nobody waits for it but readers of the audit. */
  ended(seq: number, { action, equipment_id }: AuditedCall, end: AuditedEnd): void {
    this.#late.add(this.#endOf(action, equipment_id, { of: seq, ...end }))
  }

  /** Records a call that changes nothing but by the message that it sends. */
  sending({ action, equipment_id, ...call }: AuditedCall): SentCall {
    return new SentCall({
      entry: (message_id) => ({
        type: CALLED.type,
        name: action,
        key: equipment_id ?? '',
        at: this.#at(),
        data: { ...call },
        numbers: { message_id },
      }),
      ended: async (end, messageId) => {
        if (messageId === undefined) await this.#record({ action, equipment_id, ...call }, { end })
        else this.#endSent(messageId, end, () => this.#endOf(action, equipment_id, { of: messageId, ...end }))
      },
    })
  }

  /** Keeps the calls that are recorded in the journal, which keeps them for a shorter time. One process does so for all: `node`, null where it is alone. */
  async copyFrom(journal: Journal, node: string | null): Promise<void> {
    // Once it is recorded, what another process has copied is known.
    if (node !== null)
      await this.parts.journal.append({
        ...KEYS_TAKEN,
        name: 'taken',
        key: '',
        at: this.#at(),
        data: { node },
      })
    await this.#copies.begin(journal)
  }

  /** Another process copies from now on; `isLost`: since some time. */
  stopCopying(isLost: boolean): Promise<void> {
    return this.#copies.end(isLost)
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

  /** The equipment of alarms; null where there is none, or where they are of several. */
  async equipmentOf(alarmIds: readonly string[]): Promise<string | null> {
    const known = new Set(await Promise.all(alarmIds.map((id) => this.parts.equipmentOf(id))))
    known.delete(undefined)
    const [only = null, ...others] = known
    return others.length > 0 ? null : only
  }

  /** `keys`: the equipment, where the query alone does not say it. Throws `invalid_cursor` and `cursor_expired`. */
  async list(query: AuditQuery, keys?: Keys): Promise<Page<AuditEntry>> {
    const { user, api_key, action, after } = query
    const topics = [
      ...(user === undefined ? [] : [comparableEmail(user)]),
      ...(api_key === undefined ? [] : [topicOfKey(api_key)]),
    ]
    const matching = {
      kinds: [CALL, SENT].flatMap((type) => (action ? action.map((name) => ({ type, name })) : [{ type }])),
      ...(topics.length > 0 && { topics: new Set(topics) }),
      ...(after !== undefined && { after }),
    }
    await this.#late.write()
    const { entries, next_cursor } = await readPage(this.parts.journal, 'audit', query, matching, keys)
    const ends = await this.#endsOf(entries)
    return { items: entries.map((entry) => this.#view(entry, ends.get(refOf(entry)))), next_cursor }
  }

  /** Records the numbers of what was only counted. Resolves once all is recorded, or the store does not take it. */
  close(): Promise<void> {
    this.#failedLogins.end()
    this.#forbidden.end()
    return this.#late.close()
  }

  /** Most calls end while their copy is not written yet: then it is one entry. */
  #endSent(messageId: string, end: AuditedEnd, entry: () => NewEntry): void {
    const copy = this.#late.about(messageId)
    if (copy) Object.assign(copy.data, { end })
    else this.#late.add(entry())
  }

  #endOf(action: string, equipmentId: string | null, data: JsonObject): NewEntry {
    return { type: END, name: action, key: equipmentId ?? '', byAnyone: true, at: this.#at(), data }
  }

  #record(call: AuditedCall, more?: { readonly end: AuditedEnd }): Promise<Entry> {
    return this.parts.journal.append(this.#entryOf(call, more))
  }

  #entryOf(
    { action, equipment_id, ...call }: AuditedCall,
    { end, count = 1 }: { readonly end?: AuditedEnd; readonly count?: number } = {},
  ): NewEntry {
    const data: JsonObject = { ...call, ...(end && { end: { ...end } }), ...(count > 1 && { count }) }
    const topic = topicOf(call)
    const kind = { type: CALL, name: action, key: equipment_id ?? '', ...(topic !== undefined && { topic }) }
    return { ...kind, byAnyone: true, at: this.#at(), data }
  }

  /** The ends of calls that were recorded without theirs, by what they refer to. */
  async #endsOf(entries: readonly Entry[]): Promise<ReadonlyMap<Reference, AuditedEnd>> {
    const open = entries.filter(({ data }) => data['end'] === undefined)
    const [first] = open
    if (!first) return new Map()
    const sought = new Set(open.map(refOf))
    const times = open.map(({ at }) => Date.parse(at))
    const least = open.reduce((least, { seq }) => Math.min(least, seq), first.seq)
    const query = {
      kinds: [{ type: END }],
      to: new Date(Math.max(...times) + MAX_CALL_MS).toISOString(),
      order: 'asc',
      limit: open.length,
      where: ({ data }: Entry) => sought.has(data['of'] as Reference),
    } as const
    const found = [...(await this.parts.journal.query({ ...query, after: least }))]
    for (const { data } of found) sought.delete(data['of'] as Reference)
    // The process that copies a call may do so later than the one that carried it out records its end.
    if (open.some((entry) => entry.type === SENT && sought.has(refOf(entry)))) {
      const from = new Date(Math.min(...times) - MAX_CALL_MS).toISOString()
      found.push(...(await this.parts.journal.query({ ...query, from, before: least })))
    }
    return new Map(found.map(({ data }) => [data['of'] as Reference, data as unknown as AuditedEnd]))
  }

  #view({ seq, at, name, key, data }: Entry, later: AuditedEnd | undefined): AuditEntry {
    const call = data as unknown as RecordedCall
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
      traceparent: call.traceparent ?? null,
      reason: call.reason,
      equipment_id,
      equipment_name: (equipment_id !== null && this.parts.nameOf(equipment_id)) || null,
      details: call.details,
      status: end?.status ?? null,
      code: end?.code ?? null,
      message_id: end?.message_id ?? call.message_id ?? null,
      count: call.count ?? 1,
    }
  }

  #at(): string {
    return instantText(this.parts.clock.date().getTime())
  }
}

/** What the end of a call refers to: the message of a call that is recorded with one, or the number of the call's entry. */
type Reference = string | number

const refOf = ({ seq, data }: Entry): Reference => (data['message_id'] as string | undefined) ?? seq

/** The store took so long that the call was refused before it did anything. */
const NOT_BEGUN: AuditedEnd = { status: 503, code: 'store_unavailable', message_id: null }
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
