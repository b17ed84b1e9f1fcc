import { parse } from 'yaml'
import { STANDARD_CATALOGUE } from '../../../src/catalogue/standard-catalogue.js'
import { Problem } from '../../../src/contract/errors.js'
import { Decisions } from '../../../src/gateway/decisions.js'
import { KeptMappings, type MappingRecord } from '../../../src/gateway/gem300/mapping/kept-mappings.js'
import { EquipmentObjects } from '../../../src/gateway/gem300/view/equipment-objects.js'
import { KnownObjects } from '../../../src/gateway/gem300/view/known-objects.js'
import { objectHistory } from '../../../src/gateway/gem300/view/object-history.js'
import { PushedStates } from '../../../src/gateway/gem300/view/pushed-states.js'
import { KnownEquipment } from '../../../src/gateway/knowledge/known-equipment.js'
import type { Reading } from '../../../src/gateway/records/reading.js'
import { RecordedMessage, revived } from '../../../src/gateway/records/recorded-message.js'
import type { Asking } from '../../../src/gateway/services/asking.js'
import type { Equipment } from '../../../src/gem/equipment/equipment.js'
import type { TypedValue } from '../../../src/gem/typed-value.js'
import type { Mapping } from '../../../src/gem300/mapping/mapping.js'
import { proposalText, proposeMapping } from '../../../src/gem300/mapping/propose/propose-mapping.js'
import { reportsFor } from '../../../src/gem300/mapping/reports-for.js'
import { Signal } from '../../../src/kit/signal.js'
import { encodeBody } from '../../../src/secs2/encode.js'
import { type Item, itemsIn, L, U4 } from '../../../src/secs2/item.js'
import { fromTypedJson } from '../../../src/secs2/json.js'
import { LATIN1 } from '../../../src/secs2/text.js'
import { EventReports } from '../../../src/simulator/gem300/event-reports.js'
import type { Notice } from '../../../src/simulator/gem300/notice.js'
import type { ToolSettings } from '../../../src/simulator/gem300/tool-settings.js'
import type { Model } from '../../../src/simulator/model.js'
import { RandomTool } from '../../simulator/gem300/random-tool.js'
import { ManualClock } from '../../support/manual-clock.js'
import { MemoryCollection, MemoryJournal } from '../../support/memory-store.js'
import type { Random } from '../../support/random.js'
import { settingsFor } from './mapped-tool.js'

export const TOOL = 'eq_tool'

/** Lines such as `at Aligner` and `state AT_WORK`, by substrate. */
type Ways = Map<string, string[]>

/** Adds a line, unless it says what the last one of its kind says. */
function addToWay(ways: Ways, id: string, kind: string, value: string): void {
  const way = ways.get(id) ?? []
  ways.set(id, way)
  const begin = way.lastIndexOf('state NO_STATE') + 1
  const line = `${kind} ${value}`
  if (way.slice(begin).findLast((one) => one.startsWith(`${kind} `)) !== line) way.push(line)
}

/** One life of the gateway, as far as it follows objects. */
interface Life {
  readonly journal: MemoryJournal
  readonly known: KnownObjects
  readonly objects: EquipmentObjects
  readonly started: Signal<{ readonly equipmentId: string; readonly waitFor: () => void }>
}

/**
 * A tool that does anything at random, and the gateway that follows it, with nothing between them but the bodies of
 * messages: events get lost, the link breaks in the middle of a question, and the gateway starts again.
 */
export class FollowedTool extends RandomTool {
  readonly #knowledge = new KnownEquipment()
  readonly #names: ReadonlyMap<string, string>
  readonly #values = new Map<string, TypedValue>()
  readonly #links: ReadonlyMap<string, readonly (readonly [rptid: number, vids: readonly string[]])[]>
  readonly #events: EventReports
  readonly #mapping: Mapping
  #reading: Reading
  #life!: Life
  /** Rises with each connection. */
  #connection = 0
  isConnected = false
  /** One in how many events is lost; 0 for none. */
  loses = 0
  /** What each substrate did at the tool, as lines. */
  readonly ways: Ways = new Map()
  /** The gateway's: it waits for a pause in the events, in which the tool goes on. */
  readonly #time = new ManualClock()
  /** Transitions of the tool so far. */
  transitions = 0
  #open = 0

  constructor(
    { equipment, tool: settings }: Model,
    variants: readonly string[],
    private readonly chance: Random,
  ) {
    super(settings as ToolSettings, chance)
    const { events, variables } = equipment
    this.#names = new Map(variables.map(({ id, name }) => [id, name]))
    const rows = (kind: 'status' | 'data') =>
      variables
        .filter((one) => one.kind === kind)
        .map(({ id, name }) => [id, { name, unit: '', kind }] as const)
    this.#knowledge.learnVariables('status', rows('status'), true)
    this.#knowledge.learnVariables('data', rows('data'), true)
    this.#knowledge.learnEvents(
      events.map(({ id, name }) => [id, { name, variables: this.#reported(equipment, id) }]),
      true,
    )
    const names = {
      events: [...this.#knowledge.events].map(([id, one]) => ({ id, ...one })),
      variables: variables.map(({ id, name, kind }) => ({ id, name, isStatus: kind === 'status' })),
    }
    const proposed = parse(proposalText(proposeMapping(names), names, 'tool')) as Mapping
    this.#mapping = { ...proposed, settings: settingsFor(variants) as NonNullable<Mapping['settings']> }
    const { reports, events: linked } = reportsFor(this.#mapping)
    const vidOf = (name: string | number): string =>
      this.#knowledge.idOf('variables', String(name)) ?? String(name)
    const defined = reports.map((one) => [one.id, one.variables.map(vidOf)] as const)
    this.#knowledge.accept({ kind: 'define', reports: defined.map(([id, vids]) => [String(id), vids]) }, 0)
    this.#links = new Map(
      linked.map((one) => [
        this.#knowledge.idOf('events', String(one.event)) ?? '',
        defined.filter(([id]) => one.reports.includes(id)),
      ]),
    )
    this.#reading = {
      name: 'tool',
      catalogue: STANDARD_CATALOGUE,
      formats: {},
      text: LATIN1,
      knowledge: this.#knowledge,
    }
    const outside = {
      model: equipment,
      variables: { set: (id: string, value: TypedValue) => void this.#values.set(id, value) },
      happens: (id: string) => this.#happens(id),
    }
    this.#events = new EventReports(settings as ToolSettings, outside as unknown as Equipment, this.faults)
  }

  #reported({ events, reports }: Model['equipment'], event: string): readonly string[] {
    const linked = events.find(({ id }) => id === event)?.reports ?? []
    return reports.filter(({ id }) => linked.includes(id)).flatMap(({ variables }) => variables)
  }

  get objects(): EquipmentObjects {
    return this.#life.objects
  }

  /** The gateway starts: with what its journal has, or with the lines of a snapshot of before. */
  async openGateway(): Promise<void> {
    const before = this.#life as Life | undefined
    const journal = new MemoryJournal()
    const known = new KnownObjects()
    if (before) {
      journal.entries.push(...before.journal.entries)
      const lines = JSON.stringify(before.known.lines())
      await journal.attach([known], revived)
      if (JSON.stringify(known.lines()) !== lines) throw new Error('the view is another one after a restart')
      const loaded = new KnownObjects()
      for (const line of JSON.parse(lines)) loaded.load(line)
      if (JSON.stringify(loaded.lines()) !== lines)
        throw new Error('the view is another one from its snapshot')
    } else await journal.attach([known], revived)
    const collection = new MemoryCollection<MappingRecord>()
    await collection.put({ id: TOOL, mapping: this.#mapping, applied_at: '', applied_by: '' })
    const mappings = await KeptMappings.open(collection, (_, gem300) => {
      this.#reading = { ...this.#reading, ...(gem300 && { gem300 }) }
    })
    const clock = this.#time
    const objects = new EquipmentObjects({
      ...{ journal, clock, known },
      decisions: new Decisions(journal, clock),
      asking: this.#asking(),
      planOf: () => ({ mapping: mappings.get(TOOL)?.compiled, knowledge: this.#knowledge }),
    })
    const started: Life['started'] = new Signal()
    objects.watch({ started, removed: new Signal() } as never, async () => {})
    const ownership = { owns: () => true }
    const inquire = (id: string): void => objects.inquire(id)
    new PushedStates({ journal, ownership, mappings, objects, readingOf: () => this.#reading, inquire })
    this.#life = { journal, known, objects, started }
  }

  connect(): void {
    this.isConnected = true
    this.#connection++
    this.#life.started.emit({ equipmentId: TOOL, waitFor: () => {} })
  }

  disconnect(): void {
    this.isConnected = false
    this.#connection++
  }

  /** One act, and what it makes the tool report. */
  async step(): Promise<void> {
    this.act()
    this.report()
    await this.pause()
    this.#time.advance(this.chance(400))
  }

  /** What the tool has to tell goes out. */
  report(): void {
    for (const notice of this.notices.splice(0)) {
      if (typeof notice.what === 'object') this.transitions++
      this.#follow(notice)
      this.#events.note(notice)
    }
    this.#events.flush()
  }

  #follow({ what, subject, values }: Notice): void {
    if (typeof what !== 'object' || !what.machine.startsWith('substrate') || !('SubstSubstLocID' in values))
      return
    const state = what.machine === 'substrate' ? 'state' : 'processing'
    addToWay(this.ways, subject, state, what.to)
    if (what.to !== 'NO_STATE')
      addToWay(this.ways, subject, 'at', (values['SubstSubstLocID'] as { readonly A: string }).A)
  }

  /** The same as it was recorded: all, or what events have told. */
  async recordedWays(source?: 'event'): Promise<Ways> {
    const ways: Ways = new Map()
    let cursor: string | null = null
    do {
      const { items, next_cursor } = await objectHistory(
        this.#life.journal,
        { equipmentId: TOOL, kind: 'substrate' },
        { order: 'asc', limit: 100, ...(cursor !== null && { cursor }) },
      )
      for (const { object_id, state, to, details, source: from } of items) {
        if (source !== undefined && from !== source) continue
        addToWay(ways, object_id, state, to)
        if (details?.['location'] !== undefined) addToWay(ways, object_id, 'at', details['location'])
      }
      cursor = next_cursor
    } while (cursor !== null)
    return ways
  }

  async pause(): Promise<void> {
    for (let left = this.chance(8); left > 0; left--) await Promise.resolve()
  }

  /** Resolves once all that was sent has been taken. */
  async drained(): Promise<void> {
    do {
      await new Promise((resolve) => setImmediate(resolve))
      await this.objects.tell(TOOL, [], { messageId: '0', at: this.#at })
    } while (this.#open > 0)
  }

  /** The same, and once the equipment has been asked for everything. */
  async settled(): Promise<void> {
    await this.drained()
    let isAligned = false
    const aligned = this.objects.align(TOOL).finally(() => {
      isAligned = true
    })
    while (!isAligned) {
      this.#time.advance(500)
      await new Promise((resolve) => setImmediate(resolve))
    }
    await aligned
    await this.drained()
  }

  get #at(): string {
    return this.clock.date().toISOString()
  }

  /** An event report of the tool. */
  async #happens(ceid: string): Promise<boolean> {
    if (!this.isConnected || (this.loses > 0 && this.chance(this.loses) === 0)) return false
    const reports = (this.#links.get(ceid) ?? []).map(([id, vids]) =>
      L(U4(id), L(...vids.map((vid) => fromTypedJson(this.#values.get(vid) ?? { L: [] })))),
    )
    const body = encodeBody(L(U4(1), U4(Number(ceid)), L(...reports)))
    const frame = { sessionId: 0, stream: 6, function: 11, wait: true, systemBytes: 1, body }
    const message = new RecordedMessage({ direction: 'received', equipmentId: TOOL }, frame)
    this.#open++
    try {
      await this.#life.journal.append(message.entry(this.#at))
    } finally {
      this.#open--
    }
    return true
  }

  #asking(): Asking {
    const exchange = async (_: string, message: string, item: Item | undefined) => {
      const connection = this.#connection
      const check = (): void => {
        if (!this.isConnected || connection !== this.#connection)
          throw new Problem('connection_lost', 'The link broke.')
      }
      check()
      await this.pause()
      check()
      const body = message === 'S1F3' ? this.#status(item) : this.replies.get(message)?.(item)
      if (!body) throw new Problem('transaction_aborted', `${message} is not known.`)
      await this.pause()
      check()
      return { body, ids: { message_id: '1', reply_id: '2' }, reading: this.#reading, subject: message }
    }
    const asking = {
      exchange,
      reading: () => this.#reading,
      nameOf: () => 'tool',
      bodyOf: (_: string, message: 'S1F3', data: Readonly<Record<string, unknown>>) =>
        STANDARD_CATALOGUE.buildAny(1, Number(message.slice(3)), data, { ...this.#reading, sender: 'host' }),
    }
    return asking as unknown as Asking
  }

  #status(asked: Item | undefined): Item {
    const vids = itemsIn(asked).map((one) => String((one as { readonly value: unknown }).value))
    return L(...vids.map((vid) => fromTypedJson(this.tool.valueOf(this.#names.get(vid) ?? '') ?? { L: [] })))
  }
}
