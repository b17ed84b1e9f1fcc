import { Problem } from '../../contract/errors.js'
import type { Page } from '../../contract/schema.js'
import type { NewSink, Settings, Sink, SinkChange, SinkTest } from '../../contract/topics/sinks/sink.js'
import type { DeadLetter, SinkMessage } from '../../contract/topics/sinks/sink-message.js'
import { withTimeout } from '../../kit/clock.js'
import { defined } from '../../kit/defined.js'
import { Mutex } from '../../kit/mutex.js'
import type { Collection } from '../../store/collection.js'
import { NotOwner } from '../../store/failure.js'
import { pageInOrderAdded } from '../accounts/user-list.js'
import type { EquipmentRegistry } from '../equipment/registry.js'
import { newId } from '../new-id.js'
import { type Revisions, requireRevision } from '../records/revision.js'
import { throwBug } from '../store-problem.js'
import { attempt } from './attempt.js'
import type { OutMessage, Producer, Rejection, SinkWorld } from './kinds/kind.js'
import { KINDS } from './kinds/kinds.js'
import { type DeliveryParts, SinkDelivery, type Tally } from './sink-delivery.js'
import { type EquipmentParts, SinkEquipment } from './sink-equipment.js'
import { type MessageParts, SinkMessages } from './sink-messages.js'
import type { DeadRecord, SinkRecord } from './sink-record.js'
import { kindOf, positionAt, refuseImpossible, refuseOtherHost } from './sink-settings.js'
import { sinkView, withStoredUrl } from './sink-view.js'

/** What the daemon gives its sinks. */
export interface SinkParts
  extends Pick<SinkWorld, 'localTargets' | 'folder'>,
    Pick<MessageParts, 'journalId'> {
  readonly collection: Collection<SinkRecord>
}

interface Parts extends SinkParts, MessageParts, EquipmentParts {
  readonly registry: Pick<EquipmentRegistry, 'ids' | 'identityOf' | 'known'>
  /** Whether this process has the duties of the site. */
  readonly ownsSite: () => boolean
  readonly random?: () => number
}

const MAX_SINKS = 50
const DEFAULT_DEAD = 20
/** Who tests a sink waits: its deliveries wait longer for the target. */
const TEST_TIMEOUT_MS = 10_000

/** In place of the target of a sink whose secret cannot be read. */
const SEALED: Producer = {
  maxMessages: 1,
  send: async () => ({
    isPermanent: false,
    detail: 'the signing key does not open its secret, or the query of its URL: set it again',
  }),
  close: async () => {},
}

/** The sinks, and their delivery while this process has the duties of the site. */
export class Sinks {
  readonly #messages: SinkMessages
  readonly #runs = new Map<string, SinkDelivery>()
  readonly #tallies = new Map<string, Tally>()
  readonly #turn = new Mutex()
  #delivers = false

  constructor(private readonly parts: Parts) {
    this.#messages = new SinkMessages(parts)
    parts.collection.changed.on((id) => void this.#turn.run(() => this.#align(id)).catch(throwBug))
  }

  /** Begins to deliver: called in one process at a time. */
  begin(): Promise<void> {
    return this.#turn.run(async () => {
      this.#delivers = true
      const { collection } = this.parts
      // With what other processes have written before.
      for (const record of await collection.exclusively(() => collection.all())) this.#start(record)
    })
  }

  /** Resolves once nothing more is sent, and every position is stored. */
  end(): Promise<void> {
    return this.#turn.run(async () => {
      this.#delivers = false
      await Promise.all([...this.#runs.keys()].map((id) => this.#stop(id)))
    })
  }

  async list(query: { readonly limit?: number; readonly cursor?: string }): Promise<Page<Sink>> {
    const { items, next_cursor } = pageInOrderAdded(await this.parts.collection.all(), 'sinks', query)
    return { items: await Promise.all(items.map((record) => this.#view(record))), next_cursor }
  }

  async get(id: string): Promise<Sink> {
    return this.#view(await this.#record(id))
  }

  async create({ start = 'now', ...given }: Settings<NewSink>): Promise<Sink> {
    const kind = kindOf(given)
    return this.#exclusively(async (all) => {
      refuseTaken(given.name, all)
      refuseImpossible(given, { kind }, this.parts, all)
      if (all.length >= MAX_SINKS)
        throw new Problem('quota_exceeded', `There are ${MAX_SINKS} sinks already. Remove one first.`)
      const at = this.#now()
      const record: SinkRecord = {
        id: newId('snk'),
        kind,
        equipment: null,
        label_selector: null,
        types: null,
        names: null,
        messages: null,
        format: 'event',
        secret: null,
        ...given,
        ...defined({ format: KINDS[kind].format }),
        paused: false,
        position: await positionAt(start, this.parts.journal),
        dead: [],
        created_at: at,
        updated_at: at,
      }
      await this.parts.collection.put(record)
      this.#start(record)
      return this.#view(record)
    })
  }

  update(id: string, { start, ...given }: Settings<SinkChange>, revisions?: Revisions): Promise<Sink> {
    return this.#exclusively(async (all) => {
      const record = await this.#current(id, revisions)
      const change = withStoredUrl(given, record)
      // Not given, or given as it is shown.
      const keepsUrl = given.webhook === undefined || given.webhook !== change.webhook
      const others = all.filter((other) => other.id !== id)
      refuseTaken(change.name ?? record.name, others)
      refuseImpossible(change, record, this.parts, others)
      refuseOtherHost(change, record)
      const position = start === undefined ? undefined : await positionAt(start, this.parts.journal)
      return this.#changed(id, ({ unopened, unopened_query, ...record }) => ({
        ...record,
        ...(change.secret === undefined && defined({ unopened })),
        ...(keepsUrl && defined({ unopened_query })),
        ...defined({ ...change, position }),
        updated_at: this.#now(),
      }))
    })
  }

  remove(id: string, revisions?: Revisions): Promise<void> {
    return this.#exclusively(async () => {
      await this.#current(id, revisions)
      await this.#restart(id, () => undefined)
      this.#tallies.delete(id)
    })
  }

  pause(id: string): Promise<Sink> {
    return this.#exclusively(() => this.#changed(id, (record) => ({ ...record, paused: true })))
  }

  /** Where it is not paused, a wait before the next attempt ends. */
  resume(id: string): Promise<Sink> {
    return this.#exclusively(async () => {
      const { paused } = await this.#record(id)
      if (paused) return this.#changed(id, (record) => ({ ...record, paused: false }))
      this.#runs.get(id)?.hurry()
      return this.get(id)
    })
  }

  async test(id: string): Promise<SinkTest> {
    const record = await this.#record(id)
    const message = this.#messages.test(record.name)
    const out = { id: message.id, type: message.type, text: JSON.stringify(message) }
    const over = new AbortController()
    const run = this.#runs.get(id)
    const sent = run ? run.trial(out, over.signal) : this.#sentOnce(record, out, over.signal)
    const outcome = sent.then((rejection) => ({ delivered: !rejection, detail: rejection?.detail ?? null }))
    const known = await withTimeout(this.parts.clock, TEST_TIMEOUT_MS, outcome)
    over.abort()
    const detail = `the target did not accept it within ${TEST_TIMEOUT_MS / 1000} s`
    return { ...(known ?? { delivered: false, detail }), message }
  }

  /** Of a sink that is paused. */
  async #sentOnce(
    record: SinkRecord,
    message: OutMessage,
    signal: AbortSignal,
  ): Promise<Rejection | undefined> {
    const producer = this.#producerOf(record)
    try {
      return await attempt(producer, [message], signal)
    } finally {
      await producer.close()
    }
  }

  async dead(id: string, limit = DEFAULT_DEAD): Promise<{ items: DeadLetter[] }> {
    const { dead, format } = await this.#record(id)
    const items: DeadLetter[] = []
    for (const { seq, from, reason, at, retrying } of dead.slice(0, limit)) {
      const entry = from === undefined ? await this.parts.journal.get(seq) : undefined
      const out = entry
        ? (await this.#messages.of(entry, format)).message
        : from === undefined
          ? undefined
          : await this.#messages.gap(from, seq)
      const message = out && !out.change ? (JSON.parse(out.text) as SinkMessage) : null
      items.push({ id: String(seq), reason, at, retrying, message })
    }
    return { items }
  }

  /** Dead letters are sent again, or with `drop` removed: those of `ids`, or all. */
  retry(
    id: string,
    { ids, drop = false }: { readonly ids?: readonly string[]; readonly drop?: boolean } = {},
  ): Promise<Sink> {
    const wanted = ids && new Set(ids.map(Number))
    const change = (dead: readonly DeadRecord[]): readonly DeadRecord[] =>
      dead.flatMap((letter) => {
        if (wanted && !wanted.has(letter.seq)) return [letter]
        return drop ? [] : [{ ...letter, retrying: true }]
      })
    return this.#exclusively(async () => {
      const record = await this.#record(id)
      const run = this.#runs.get(id)
      if (run) await run.changeDead(change)
      else await this.parts.collection.put({ ...record, dead: change(record.dead) })
      return this.get(id)
    })
  }

  /** One change of sinks at a time, here and in other processes. */
  #exclusively<T>(work: (all: readonly SinkRecord[]) => Promise<T>): Promise<T> {
    const { collection, ownsSite } = this.parts
    return this.#turn.run(() =>
      collection.exclusively(async () => {
        // Another process reads them now, and would not see the change.
        if (this.#delivers && !ownsSite()) throw new NotOwner('another daemon delivers the sinks')
        return work(await collection.all())
      }),
    )
  }

  /** Its record with the position as it is now. Throws `sink_not_found`. */
  async #record(id: string): Promise<SinkRecord> {
    const record = this.#runs.get(id)?.record ?? (await this.parts.collection.get(id))
    if (!record) throw new Problem('sink_not_found', `There is no sink with the id ${id}.`)
    return record
  }

  /** The same where it has one of these revisions. Throws `revision_mismatch`. */
  async #current(id: string, revisions: Revisions): Promise<SinkRecord> {
    const record = await this.#record(id)
    if (revisions) requireRevision('Sink', await this.#view(record), record.name, revisions)
    return record
  }

  async #changed(id: string, change: (record: SinkRecord) => SinkRecord): Promise<Sink> {
    await this.#restart(id, change)
    return this.get(id)
  }

  /**
   * Stops a sink, and starts it again with a change: what it delivers has to follow from what is stored. Undefined
   * removes it. Where the store refuses, the sink goes on as before.
   */
  async #restart(id: string, change: (record: SinkRecord) => SinkRecord | undefined): Promise<void> {
    const { collection } = this.parts
    const known = await this.#record(id)
    // With its position as it is now, also where that could not be stored.
    let record: SinkRecord | undefined = (await this.#stop(id)) ?? known
    try {
      const changed = change(record)
      if (changed) await collection.put(changed)
      else await collection.delete(id)
      record = changed
    } finally {
      if (record) this.#start(record)
    }
  }

  /** A call that failed has changed this sink after all: it is delivered as it is stored, from where it is. */
  async #align(id: string): Promise<void> {
    const stored = await this.parts.collection.get(id)
    const known = await this.#stop(id)
    if (stored) this.#start({ ...stored, ...(known && { position: known.position, dead: known.dead }) })
  }

  #start(record: SinkRecord): void {
    if (!this.#delivers || record.paused || this.#runs.has(record.id)) return
    this.#runs.set(record.id, this.#runOf(record))
  }

  #runOf(record: SinkRecord): SinkDelivery {
    const { journal, clock, collection, ownsSite, random = Math.random } = this.parts
    const parts = {
      clock,
      journal,
      random,
      messages: this.#messages,
      producer: this.#producerOf(record),
      equipment: new SinkEquipment(record, this.parts),
      // Where another process has the duties now, its positions stay.
      store: async (changed: SinkRecord) => {
        if (ownsSite()) await collection.put(changed)
      },
    } satisfies DeliveryParts
    const run = new SinkDelivery(record, parts, this.#tallies.get(record.id))
    this.#tallies.set(record.id, run.tally)
    return run
  }

  #producerOf(record: SinkRecord): Producer {
    const { registry, identities, clock, localTargets, folder } = this.parts
    if (record.unopened !== undefined || record.unopened_query !== undefined) return SEALED
    const equipment = new SinkEquipment(record, this.parts)
    const isSelected = (id: string): boolean => equipment.hasNow(id)
    return KINDS[record.kind].open(record, {
      clock,
      localTargets,
      folder,
      equipment: (id) => (isSelected(id) ? registry.known(id) : undefined),
      selected: () => registry.ids.filter(isSelected),
      identityAt: (id, seq) => identities.at(id, seq, registry.identityOf(id))[0],
    })
  }

  /** The record of a sink that was delivering, as it is when it has stopped. */
  async #stop(id: string): Promise<SinkRecord | undefined> {
    const run = this.#runs.get(id)
    try {
      await run?.stop()
    } finally {
      this.#runs.delete(id)
    }
    return run?.record
  }

  #view(stored: SinkRecord): Promise<Sink> {
    return sinkView(stored, this.#runs.get(stored.id), this.parts, this.#tallies.get(stored.id))
  }

  #now(): string {
    return this.parts.clock.date().toISOString()
  }
}

function refuseTaken(name: string, others: readonly SinkRecord[]): void {
  if (others.some((other) => other.name === name))
    throw new Problem('sink_name_taken', `Another sink has the name ${name}.`)
}
