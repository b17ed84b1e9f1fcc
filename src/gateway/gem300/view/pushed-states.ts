import { JOB_NOTICES, type JobNotice, noticedJob } from '../../../gem300/job-notice.js'
import type { CompiledMapping, Source } from '../../../gem300/mapping/compiled-mapping.js'
import {
  isMeant,
  type NamedValue,
  type ToldBySource,
  toldBySource,
} from '../../../gem300/mapping/told-by-source.js'
import { BodyError } from '../../../gem300/messages/body-error.js'
import { text } from '../../../gem300/messages/body-part.js'
import type { ToldObject } from '../../../gem300/told-object.js'
import type { Gem300View } from '../../../gem300/variants.js'
import { type Item, itemsIn } from '../../../secs2/item.js'
import type { Entry } from '../../../store/entry.js'
import type { Journal } from '../../../store/journal.js'
import type { Ownership } from '../../../store/ownership.js'
import type { EquipmentKnowledge } from '../../knowledge/equipment-knowledge.js'
import { MESSAGE_RECEIVED } from '../../records/journal-kinds.js'
import type { Reading } from '../../records/reading.js'
import { messageOf } from '../../records/recorded-message.js'
import { throwBug } from '../../store-problem.js'
import type { KeptMappings } from '../mapping/kept-mappings.js'
import { viewOf } from '../object-exchange.js'
import { isOnlineAgain } from '../performance/losses.js'
import { carrierAt, type EquipmentObjects } from './equipment-objects.js'
import type { DraftedObjects } from './object-changes.js'

/** Messages that report a collection event: values in their order, or each with its VID. */
const PLAIN = 'S6F11'
const ANNOTATED = 'S6F13'
/** A longer report is not about states. */
const MAX_BODY_BYTES = 1024 * 1024

const ID = text('CEID')

interface PushedStatesParts {
  readonly journal: Pick<Journal, 'appended'>
  readonly ownership: Pick<Ownership, 'owns'>
  readonly mappings: KeptMappings
  readonly objects: EquipmentObjects
  readonly readingOf: (equipmentId: string) => Reading
  /** Asks the equipment for all its objects, unless nothing may be asked. */
  readonly inquire: (equipmentId: string) => void
}

/** A message that may tell of states. */
interface Received {
  readonly entry: Entry
  readonly item: Item
  readonly mapping: CompiledMapping
  readonly knowledge: EquipmentKnowledge
  readonly view: Gem300View
}

/**
 * States that equipment reports by its events and notices of jobs, once they are on disk: also those to the host of tapped
 * equipment. Equipment that comes online again is asked for them.
 */
export class PushedStates {
  constructor(private readonly parts: PushedStatesParts) {
    parts.journal.appended.on((entry) => this.#take(entry))
  }

  #take(entry: Entry): void {
    const { key, topic, name } = entry
    if (isOnlineAgain(entry)) return this.#backOnline(key)
    if (name !== MESSAGE_RECEIVED.name) return
    const notice = JOB_NOTICES.find((one) => one === topic)
    if (!notice && topic !== PLAIN && topic !== ANNOTATED) return
    const { mappings, ownership, readingOf } = this.parts
    const mapping = mappings.get(key)?.compiled
    if (!mapping || !ownership.owns(key)) return
    const message = messageOf(entry)
    // A spooled report tells of the past.
    if (message.mayBeSpooled || message.length > MAX_BODY_BYTES) return
    const reading = readingOf(key)
    const { knowledge } = reading
    if (!knowledge || !message.item) return
    const received = { entry, item: message.item, mapping, knowledge, view: viewOf(reading) }
    if (notice) this.#notice(notice, received)
    else if (mapping.events.length > 0) this.#report(received)
  }

  /** What happened while it was offline, no event has told. */
  #backOnline(equipmentId: string): void {
    const { mappings, ownership, inquire } = this.parts
    if (mappings.get(equipmentId) && ownership.owns(equipmentId)) inquire(equipmentId)
  }

  #report({ entry, item, mapping, knowledge, view }: Received): void {
    const { key, topic = '', at, seq } = entry
    const { objects, inquire } = this.parts
    const [, ceidItem, reportItems] = itemsIn(item)
    const ceid = ceidItem && textOf(ceidItem, view)
    if (ceid === undefined) return
    const reports = itemsIn(reportItems)
    const sources = sourcesOf(mapping, ceid, knowledge)
    if (sources.length === 0) return
    const values = reports.flatMap((report) => valuesIn(report, topic, seq, knowledge, view))
    const telling = { messageId: String(seq), at }
    const toldWith = (known: DraftedObjects): readonly ToldBySource[] =>
      sources.map((source) => toldBySource(source, values, view, (port) => carrierAt(known, port)))
    const found = (told: readonly ToldBySource[]): readonly ToldObject[] => told.flatMap((one) => one.objects)
    // Of the carrier at a port: it may be what an event before tells, which is not recorded yet.
    if (sources.some(({ kind, port }) => kind === 'carrier' && port !== undefined)) {
      const toldThen = (known: DraftedObjects): readonly ToldObject[] => {
        const told = toldWith(known)
        if (told.some((one) => one.carrierAt.length > 0)) inquire(key)
        return found(told)
      }
      return void objects.tellLater(key, toldThen, telling).catch(throwBug)
    }
    const told = found(toldWith(objects.of(key)))
    if (told.length > 0) objects.tell(key, told, telling).catch(throwBug)
  }

  /**
   * Where events tell the states of jobs, they alone do: a notice is a transaction of its own, and may overtake them. It says
   * what is wrong then. What nothing tells is asked.
   */
  #notice(notice: JobNotice, { entry, item, mapping, knowledge, view }: Received): void {
    const { key, at, seq } = entry
    const { objects, inquire } = this.parts
    const noticed = noticedJob(notice, item, mapping, view, {
      nameOf: (vid) => knowledge.named(vid)?.name ?? null,
      stateOf: (job) => objects.of(key).get('job', job)?.states['state']?.state,
    })
    if (!noticed) return
    const isToldByEvents = mapping.events.some(([, { kind }]) => kind === 'job')
    const { told, asks } = noticed
    const { isGone: _, ...shown } = told
    const said = isToldByEvents ? { ...shown, states: {} } : told
    objects.tell(key, [said], { messageId: String(seq), at }, isToldByEvents || !asks).catch(throwBug)
    if (asks && !isToldByEvents) inquire(key)
  }
}

function textOf(item: Item, view: Gem300View): string | undefined {
  try {
    return ID.read(item, view, '')
  } catch (error) {
    if (error instanceof BodyError) return undefined
    throw error
  }
}

const sourcesOf = (
  { events }: CompiledMapping,
  ceid: string,
  known: EquipmentKnowledge,
): readonly Source[] => {
  const name = known.events.get(ceid)?.name ?? null
  return events.flatMap(([event, source]) => (isMeant(event, ceid, name) ? [source] : []))
}

/** The values of a report; none where its variables are not known. */
function valuesIn(
  report: Item,
  topic: string,
  seq: number,
  known: EquipmentKnowledge,
  view: Gem300View,
): NamedValue[] {
  const [rptid, values] = itemsIn(report)
  const items = itemsIn(values)
  const named = (vid: string | null, item: Item): NamedValue => ({
    vid,
    name: vid === null ? null : (known.named(vid)?.name ?? null),
    item,
  })
  if (topic === ANNOTATED)
    return items.flatMap((row) => {
      const [vid, item] = itemsIn(row)
      return vid && item ? [named(textOf(vid, view) ?? null, item)] : []
    })
  const id = rptid && textOf(rptid, view)
  const vids = id === undefined ? null : known.variablesOf(id, seq)
  return vids?.length === items.length ? items.map((item, at) => named(vids[at] ?? null, item)) : []
}
