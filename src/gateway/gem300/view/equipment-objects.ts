import { KINDS, type ObjectKind, portId } from '../../../gem300/object-states.js'
import type { ToldObject } from '../../../gem300/told-object.js'
import { type Clock, delay } from '../../../kit/clock.js'
import { keepNewest } from '../../../kit/keep-newest.js'
import { Signal } from '../../../kit/signal.js'
import type { JsonObject } from '../../../kit/text/json.js'
import type { Entry, NewEntry } from '../../../store/entry.js'
import type { Journal } from '../../../store/journal.js'
import type { Decisions } from '../../decisions.js'
import type { EquipmentRegistry } from '../../equipment/registry.js'
import { TOLD_PATIENCE_MS } from '../../owed-entries.js'
import type { Asking } from '../../services/asking.js'
import { problemOf, throwBug } from '../../store-problem.js'
import { isLossEntry } from '../performance/losses.js'
import { type AlignmentPlan, askForObjects, type ToldAtOnce } from './alignment.js'
import { historyTopic } from './history-topic.js'
import {
  CHANGE_KINDS,
  type KnownObjects,
  kindOfChange,
  type ObjectChange,
  type ObjectsOfEquipment,
} from './known-objects.js'
import { type ChangeOfKind, type DraftedObjects, ObjectDraft, type Telling } from './object-changes.js'

/** A change that is on disk, and that the view has. */
export interface RecordedChange {
  readonly equipmentId: string
  readonly kind: ObjectKind
  readonly change: ObjectChange
  /** Of its entry. */
  readonly seq: number
  readonly at: string
}

/** When the equipment was last asked for everything, and what it did not give. */
export interface Alignment {
  /** ISO 8601: when the equipment was last asked for everything; null where it was not since the gateway started. */
  readonly aligned_at: string | null
  /** Messages that it does not know. */
  readonly refused: readonly string[]
  /** Kinds of objects that it does not have, or does not give. */
  readonly missing: readonly ObjectKind[]
  /** Why the last attempt ended early; null where it did not. */
  readonly error: string | null
}

const NEVER: Alignment = { aligned_at: null, refused: [], missing: [], error: null }

export interface EquipmentObjectsParts {
  readonly journal: Pick<Journal, 'append' | 'appendAll' | 'appended'>
  readonly clock: Clock
  readonly decisions: Pick<Decisions, 'decide'>
  readonly known: KnownObjects
  readonly asking: Asking
  /** Its mapping, where it has one: then the gateway asks for its objects by itself. */
  readonly planOf: (equipmentId: string) => Pick<AlignmentPlan, 'mapping' | 'knowledge'>
}

/** States that were told by events since the equipment communicates: of more the first are no longer remembered. */
const MAX_HELD = 10_000

/** What is to be recorded, as of the time at which it is. */
interface ToldLater {
  readonly told: (known: DraftedObjects) => readonly ToldObject[]
  readonly telling: Telling
}

/** What is remembered of events while nothing of it is in the journal. */
interface Told {
  /** Object and state: an attribute that differs does not change them. */
  readonly held: Map<string, true>
  /** Objects that events were about since the alignment under way has begun, with the number of the last message. */
  during: Map<string, number> | undefined
  /** Modules whose performance was told since the equipment could last not tell it. */
  readonly performing: Set<string>
  /** What events have told since the last turn to record it. */
  batch: { readonly all: ToldLater[]; readonly recorded: Promise<void> } | undefined
  /** When an event has last told anything, on the clock's scale. */
  toldAt: number
  /** The gateway is about to ask for what events do not say, and the earliest time of the next such question. */
  isInquiryDue: boolean
  nextInquiry: number
}

/** Between two questions that events give rise to, in milliseconds. */
const INQUIRY_INTERVAL_MS = 500
/** Without an event for so long nothing is queued at the equipment; so long a question waits for that, in milliseconds. */
const QUIET_MS = 200
const MOST_QUIET_MS = 3000

/** Milliseconds until equipment is asked again where the store was away meanwhile. */
const AGAIN_MS = 5000

function entryOf(key: string, { kind, change }: ChangeOfKind, at: string): NewEntry {
  const topic = historyTopic(kind, change.object_id)
  const data = change as unknown as JsonObject
  return {
    ...CHANGE_KINDS[kind],
    key,
    at,
    data,
    ...(topic !== undefined && { topic }),
    patience: TOLD_PATIENCE_MS,
  }
}

/** The carrier that is at a port, by what is known of the port, and of the carriers. */
export function carrierAt(known: DraftedObjects, port: string): string | undefined {
  const named = known.get('port', port)?.details['carrier']
  if (named !== undefined && named !== '' && known.get('carrier', named)) return named
  return known
    .list('carrier')
    .findLast(({ details }) => details['port'] === port || portId(details['location'] ?? '') === port)?.id
}

/**
 * Ports, carriers, jobs, substrates and modules of all equipment, with their states: what events tell and what the
 * equipment says when it is asked.
 */
export class EquipmentObjects {
  /** Each change, once the view has it. */
  readonly changed = new Signal<RecordedChange>()
  readonly #told = new Map<string, Told>()
  readonly #running = new Map<string, Promise<Alignment>>()
  readonly #alignments = new Map<string, Alignment>()

  constructor(private readonly parts: EquipmentObjectsParts) {
    parts.journal.appended.on((entry) => this.#appended(entry))
  }

  /** The objects as they are known. */
  of(equipmentId: string): ObjectsOfEquipment {
    return this.parts.known.of(equipmentId)
  }

  alignmentOf(equipmentId: string): Alignment {
    return this.#alignments.get(equipmentId) ?? NEVER
  }

  /**
   * Aligns equipment that communicates again, once `ready` has resolved: events that report before it may be lost.
   * Tapped equipment never starts: its own host asks it.
   */
  watch(
    { started, removed }: Pick<EquipmentRegistry, 'started' | 'removed'>,
    ready: (equipmentId: string) => Promise<unknown>,
  ): void {
    started.on(({ equipmentId }) => {
      this.#told.get(equipmentId)?.held.clear()
      if (!this.parts.planOf(equipmentId).mapping) return
      this.#started(equipmentId, ready).catch((error: unknown) => this.#askAgain(equipmentId, error))
    })
    removed.on((equipmentId) => {
      this.#told.delete(equipmentId)
      this.#alignments.delete(equipmentId)
      this.parts.known.forget((id) => id === equipmentId)
    })
  }

  /**
   * Records what events have told, in the order of the calls. `isHeld`: it holds against an attribute that differs;
   * otherwise the attributes count, and what was told of the object before holds no more.
   */
  tell(
    equipmentId: string,
    told: readonly ToldObject[],
    telling: Omit<Telling, 'source' | 'holds'>,
    isHeld = true,
  ) {
    this.#hold(equipmentId, told, telling, isHeld)
    return this.#recordSoon(equipmentId, { told: () => told, telling: { ...telling, source: 'event' } })
  }

  /** The same for what can only be told with all that is known when it is recorded, such as which carrier is at a port. */
  tellLater(
    equipmentId: string,
    told: (known: DraftedObjects) => readonly ToldObject[],
    telling: Omit<Telling, 'source' | 'holds'>,
  ) {
    this.#toldOf(equipmentId).toldAt = this.parts.clock.now()
    const toldThen = (known: DraftedObjects): readonly ToldObject[] => {
      const objects = told(known)
      this.#hold(equipmentId, objects, telling, true)
      return objects
    }
    return this.#recordSoon(equipmentId, { told: toldThen, telling: { ...telling, source: 'event' } })
  }

  #hold(
    equipmentId: string,
    told: readonly ToldObject[],
    { messageId }: Pick<Telling, 'messageId'>,
    isHeld: boolean,
  ): void {
    const known = this.#toldOf(equipmentId)
    const { held, during } = known
    if (told.length > 0) known.toldAt = this.parts.clock.now()
    for (const { kind, id, states } of told) {
      during?.set(`${kind} ${id}`, Number(messageId))
      for (const state of Object.keys(isHeld ? states : KINDS[kind].states)) {
        held.delete(`${kind} ${id} ${state}`)
        if (isHeld) held.set(`${kind} ${id} ${state}`, true)
      }
    }
    keepNewest(held, MAX_HELD)
  }

  /** Resolves once what was told until now is recorded. */
  recorded(equipmentId: string): Promise<void> {
    return this.parts.decisions.decide([`objects ${equipmentId}`], async () => {})
  }

  /** Records that the equipment has put a control job at the head of its queue. `jobOf`: asked when it is its turn. */
  moveToHead(
    equipmentId: string,
    jobOf: () => Promise<string | undefined>,
    messageId: string,
  ): Promise<void> {
    const { decisions, journal, clock } = this.parts
    return decisions.decide([`objects ${equipmentId}`], async () => {
      const job = await jobOf()
      if (job === undefined) return
      const jobs = this.of(equipmentId).list('control_job')
      const state = jobs.find(({ id }) => id === job)?.states['state']?.state
      const head = jobs.find(({ states }) => states['state']?.state === 'QUEUED')?.id
      if (state === undefined || head === undefined || head === job) return
      const moved: ObjectChange = {
        object_id: job,
        state: 'state',
        from: state,
        to: state,
        source: 'query',
        message_id: messageId,
        before: head,
      }
      const at = clock.date().toISOString()
      await journal.append(entryOf(equipmentId, { kind: 'control_job', change: moved }, at))
    })
  }

  /**
   * Asks the equipment for all its objects once no event comes any more, and records what is new: also for a caller, and
   * for equipment that is not followed. Those who call while it is under way get the same one. Throws problems of the store
   * alone: what the equipment does is in `error`.
   */
  align(equipmentId: string): Promise<Alignment> {
    const before = this.#running.get(equipmentId)
    if (before) return before
    const running = this.#align(equipmentId).finally(() => this.#running.delete(equipmentId))
    this.#running.set(equipmentId, running)
    return running
  }

  /** One that is under way was begun before. */
  async #started(equipmentId: string, ready: (equipmentId: string) => Promise<unknown>): Promise<void> {
    await this.#running.get(equipmentId)?.catch(throwBug)
    await ready(equipmentId)
    await this.align(equipmentId)
  }

  /**
   * Asks once more, for what events do not say: at once, or after the alignment that is under way, which may have passed
   * it already. Never more often than the interval.
   */
  inquire(equipmentId: string): void {
    const told = this.#toldOf(equipmentId)
    if (told.isInquiryDue) return
    told.isInquiryDue = true
    const { clock } = this.parts
    clock.at(Math.max(clock.now(), told.nextInquiry), () => {
      this.#inquire(equipmentId).catch((error: unknown) => this.#askAgain(equipmentId, error))
    })
  }

  /** The store was away while the equipment was asked: what it has said is not recorded. */
  #askAgain(equipmentId: string, error: unknown): void {
    throwBug(error)
    this.#toldOf(equipmentId).nextInquiry = this.parts.clock.now() + AGAIN_MS
    this.inquire(equipmentId)
  }

  async #inquire(equipmentId: string): Promise<void> {
    await this.#running.get(equipmentId)?.catch(throwBug)
    const told = this.#toldOf(equipmentId)
    told.isInquiryDue = false
    told.nextInquiry = this.parts.clock.now() + INQUIRY_INTERVAL_MS
    await this.align(equipmentId)
  }

  async #align(equipmentId: string): Promise<Alignment> {
    const { asking, clock } = this.parts
    const told = this.#toldOf(equipmentId)
    await this.#quiet(told)
    told.during = new Map()
    const plan = {
      ...this.parts.planOf(equipmentId),
      carrierAt: (port: string) => carrierAt(this.of(equipmentId), port),
    }
    try {
      const asked = await askForObjects(asking, equipmentId, plan, (reply) => this.#take(equipmentId, reply))
      this.#alignments.set(equipmentId, { ...asked, aligned_at: clock.date().toISOString(), error: null })
    } catch (error) {
      const problem = problemOf(error)
      if (!problem || problem.code === 'store_unavailable') throw error
      this.#alignments.set(equipmentId, { ...this.alignmentOf(equipmentId), error: problem.message })
    } finally {
      told.during = undefined
    }
    return this.alignmentOf(equipmentId)
  }

  /**
   * Equipment sends its events one after the other, and its reply may overtake those that are still to come: what they tell
   * of the past would seem to follow. So a question waits until none comes, unless that takes too long.
   */
  async #quiet(told: Told): Promise<void> {
    const { clock } = this.parts
    const end = clock.now() + MOST_QUIET_MS
    for (;;) {
      const next = Math.min(end, told.toldAt + QUIET_MS)
      if (next <= clock.now()) return
      await delay(clock, next - clock.now())
    }
  }

  /** What is known of a kind that was told whole, and is not among it, is gone. */
  #take(equipmentId: string, { whole, objects, replyId }: ToldAtOnce): Promise<void> {
    const { held, during } = this.#toldOf(equipmentId)
    const at = this.parts.clock.date().toISOString()
    const holds = (one: Pick<ToldObject, 'kind' | 'id'>, state: string): boolean =>
      held.has(`${one.kind} ${one.id} ${state}`)
    const told = (): readonly ToldObject[] => {
      const known = this.of(equipmentId)
      const wasTold = ({ kind, id }: Pick<ToldObject, 'kind' | 'id'>): boolean =>
        during?.has(`${kind} ${id}`) === true
      const there = new Set(objects.map(({ id }) => id))
      // A reply that came before an event is recorded after it when it takes longer to be recorded as a message.
      const isOlder = ({ kind, id }: Pick<ToldObject, 'kind' | 'id'>): boolean =>
        (during?.get(`${kind} ${id}`) ?? 0) > Number(replyId)
      // An event may have ended one of them, or made one, after the equipment has written its reply.
      const now = objects.filter(
        (one) => !isOlder(one) && (!wasTold(one) || known.get(one.kind, one.id) !== undefined),
      )
      const gone = whole ? known.list(whole).filter((one) => !there.has(one.id) && !wasTold(one)) : []
      return [...gone.map(({ kind, id }) => ({ kind, id, states: {}, isGone: true })), ...now]
    }
    // What events tell from now on is recorded after it.
    this.#toldOf(equipmentId).batch = undefined
    return this.#record(equipmentId, [{ told, telling: { source: 'query', messageId: replyId, at, holds } }])
  }

  /** With all else that events tell until it is its turn: each write to the disk takes longer than the next event. */
  #recordSoon(equipmentId: string, one: ToldLater): Promise<void> {
    const known = this.#toldOf(equipmentId)
    if (known.batch) {
      known.batch.all.push(one)
      return known.batch.recorded
    }
    const all = [one]
    const recorded = this.#record(equipmentId, all, () => {
      if (known.batch?.all === all) known.batch = undefined
    })
    known.batch = { all, recorded }
    // What is not in the journal must not hold against an attribute.
    recorded.catch(() => this.#lost(equipmentId))
    return recorded
  }

  /** `begins`: called when it is its turn. */
  #record(equipmentId: string, all: readonly ToldLater[], begins: () => void = () => {}): Promise<void> {
    return this.parts.decisions.decide([`objects ${equipmentId}`], async () => {
      begins()
      const performing = new Set(this.#toldOf(equipmentId).performing)
      // States of other objects are asked for after each connect, or are gone.
      const isAnew = ({ kind, id }: Pick<ToldObject, 'kind' | 'id'>): boolean =>
        kind === 'performance' && !performing.has(id)
      const draft = new ObjectDraft(this.of(equipmentId))
      const entries = all.flatMap(({ told, telling }) => {
        const changes = draft.take(told(draft), { ...telling, isAnew })
        for (const { kind, change } of changes) if (kind === 'performance') performing.add(change.object_id)
        return changes.map((one) => entryOf(equipmentId, one, telling.at))
      })
      if (entries.length > 0) await this.parts.journal.appendAll(entries)
    })
  }

  #toldOf(equipmentId: string): Told {
    const told = this.#told.get(equipmentId) ?? {
      held: new Map<string, true>(),
      performing: new Set<string>(),
      batch: undefined,
      toldAt: Number.NEGATIVE_INFINITY,
      during: undefined,
      isInquiryDue: false,
      nextInquiry: 0,
    }
    this.#told.set(equipmentId, told)
    return told
  }

  #appended(entry: Entry): void {
    const { type, name, key, at, seq, data } = entry
    if (type !== 'state' && type !== 'connection') return
    const kind = kindOfChange(name)
    if (kind === 'performance') this.#toldOf(key).performing.add(String(data['object_id']))
    if (!kind && isLossEntry(entry)) this.#lost(key)
    if (kind) this.changed.emit({ equipmentId: key, kind, change: data as unknown as ObjectChange, seq, at })
  }

  /** What was told may not be so any more: what the equipment says next counts. */
  #lost(equipmentId: string): void {
    const told = this.#told.get(equipmentId)
    told?.held.clear()
    told?.performing.clear()
  }
}
