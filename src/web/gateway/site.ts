import { batch, type Signal, signal } from '@preact/signals'
import type { ConnectionState, ControlState, Equipment } from '../../contract/equipment.js'
import type { Alarm } from '../../contract/topics/alarms.js'
import type { Event } from '../../contract/topics/events.js'
import type { Message } from '../../contract/topics/messages.js'
import { type Job, jobAfter } from './job.js'
import { OpenAlarms } from './open-alarms.js'
import { type ToolState, toolStateOf } from './tool-state.js'
import { BAR_SECONDS, TrafficWindow } from './traffic-window.js'

/** What a tile shows of an equipment. A new object whenever one of its members changes. */
export interface Tile {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly state: ToolState
  readonly connection: ConnectionState
  readonly control: ControlState
  readonly health: Equipment['health']
  readonly healthReason: string | null
  readonly activeAlarms: number
  readonly unacknowledged: number
  readonly job: Job
}

/** An equipment, as far as the page keeps it. */
export class Tool {
  readonly tile: Signal<Tile>
  readonly traffic = new TrafficWindow()
  /** Rises when a bar of the traffic is over. */
  readonly beat = signal(0)
  job: Job = {}

  constructor(public record: Equipment) {
    this.tile = signal(tileOf(record, { active: 0, unacknowledged: 0 }, {}))
  }

  get id(): string {
    return this.record.id
  }
}

const tileOf = (
  record: Equipment,
  { active, unacknowledged }: { readonly active: number; readonly unacknowledged: number },
  job: Job,
): Tile => ({
  name: record.name,
  labels: record.labels,
  state: toolStateOf(record, active),
  connection: record.connection_state,
  control: record.control_state,
  health: record.health,
  healthReason: record.health_reason,
  activeAlarms: active,
  unacknowledged,
  job,
})

const isSame = (a: Tile, b: Tile): boolean =>
  (Object.keys(a) as (keyof Tile)[]).every((member) => a[member] === b[member])

const byName = new Intl.Collator(undefined, { numeric: true })

/** Milliseconds by which an event may be older than its kind usually is, and still count as traffic of now. */
const MAX_LAG_MS = 15_000

/**
 * All equipment of the site and its open alarms, kept up to date by events. Tiles change together, in `flush`, so that
 * hundreds of events in a second make a few renderings.
 */
export class Site {
  readonly alarms = new OpenAlarms()
  /** All equipment by name. */
  readonly tools = signal<readonly Tool[]>([])
  /** Rises when a tile has changed: what is computed from all tiles reads it. */
  readonly version = signal(0)
  readonly #tools = new Map<string, Tool>()
  readonly #changed = new Set<Tool>()
  #leastLag = Number.POSITIVE_INFINITY
  #second = 0

  get(id: string): Tool | undefined {
    return this.#tools.get(id)
  }

  /** True when something waits for `flush`. */
  get isDirty(): boolean {
    return this.#changed.size > 0 || this.alarms.isDirty
  }

  /** Takes all equipment as it was read; equipment that is not in the list is gone. */
  setEquipment(records: readonly Equipment[]): void {
    const ids = new Set(records.map(({ id }) => id))
    for (const id of this.#tools.keys()) if (!ids.has(id)) this.#tools.delete(id)
    let reordered = this.#tools.size !== this.tools.peek().length
    for (const record of records) reordered = this.#put(record) || reordered
    if (reordered) this.#order()
  }

  /** Takes one equipment as it was read. */
  setOne(record: Equipment): void {
    if (this.#put(record)) this.#order()
  }

  remove(id: string): void {
    if (this.#tools.delete(id)) this.#order()
  }

  setAlarms(alarms: readonly Alarm[], incomplete: readonly string[] = []): void {
    this.alarms.set(alarms, incomplete)
    for (const tool of this.#tools.values()) this.#changed.add(tool)
  }

  putAlarm(alarm: Alarm): void {
    this.alarms.put(alarm)
    const tool = this.#tools.get(alarm.equipment_id)
    if (tool) this.#changed.add(tool)
  }

  /** `now`: milliseconds of the wall clock of this computer. */
  apply(event: Event, now: number): void {
    const tool = this.#tools.get(event.equipment_id)
    if (event.type === 'alarm') {
      this.alarms.apply(event)
      if (tool) this.#changed.add(tool)
      return
    }
    if (!tool) return
    if (event.type === 'message') return this.#countMessage(tool, event, now)
    const { to } = event.data as { readonly to?: string }
    if (to === undefined) return
    const member = event.type === 'connection' ? 'connection_state' : event.name
    if (!(member in tool.record)) return
    tool.record = { ...tool.record, [member]: to }
    this.#changed.add(tool)
  }

  /** Renders what has changed since the last call. */
  flush(): void {
    batch(() => {
      let changed = 0
      for (const tool of this.#changed) {
        const tile = tileOf(tool.record, this.alarms.of(tool.id), tool.job)
        if (isSame(tile, tool.tile.peek())) continue
        tool.tile.value = tile
        changed++
      }
      this.#changed.clear()
      if (changed > 0) this.version.value++
      this.alarms.flush()
    })
  }

  /** A second has passed: the bars of a tenth of all equipment are over, so that no second renders all of them. */
  tick(): void {
    this.#second = (this.#second + 1) % BAR_SECONDS
    const tools = this.tools.peek()
    batch(() => {
      for (let at = this.#second; at < tools.length; at += BAR_SECONDS) {
        const tool = tools[at]
        tool?.traffic.advance()
        if (tool) tool.beat.value++
      }
    })
  }

  #countMessage(tool: Tool, { name, at, data }: Event, now: number): void {
    if (name === 'message_ended') return
    // Messages of an interruption come all at once when it is over: they are no traffic of this moment.
    const lag = now - Date.parse(at)
    this.#leastLag = Math.min(this.#leastLag, lag)
    if (lag - this.#leastLag < MAX_LAG_MS) tool.traffic.add()
    const { collection_event } = data as Partial<Message>
    if (!collection_event) return
    const job = jobAfter(tool.job, collection_event)
    if (job === tool.job) return
    tool.job = job
    this.#changed.add(tool)
  }

  /** The job of equipment whose reports came before the page was opened. */
  setJob(id: string, job: Job): void {
    const tool = this.#tools.get(id)
    if (!tool) return
    tool.job = { ...job, ...tool.job }
    this.#changed.add(tool)
  }

  /** True when the order of the equipment has changed. */
  #put(record: Equipment): boolean {
    const known = this.#tools.get(record.id)
    if (!known) {
      const tool = new Tool(record)
      this.#tools.set(record.id, tool)
      this.#changed.add(tool)
      return true
    }
    const renamed = known.record.name !== record.name
    known.record = sameLabels(known.record, record)
    this.#changed.add(known)
    return renamed
  }

  #order(): void {
    this.tools.value = [...this.#tools.values()].sort((a, b) => byName.compare(a.record.name, b.record.name))
  }
}

/** Keeps the object with the labels where they are the same, so that the tile is the same. */
function sameLabels({ labels }: Equipment, record: Equipment): Equipment {
  return JSON.stringify(labels) === JSON.stringify(record.labels) ? { ...record, labels } : record
}
