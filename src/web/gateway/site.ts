import { batch, computed, type Signal, signal } from '@preact/signals'
import { type AlarmsOf, NO_ALARMS } from '../../client/site/alarm-counts.js'
import type { OpenAlarms } from '../../client/site/open-alarms.js'
import { SiteRecords } from '../../client/site/site-records.js'
import { type Severity, severityOf } from '../../contract/alarm-severity.js'
import type { ConnectionState, ControlState, Equipment } from '../../contract/equipment.js'
import type { TapLink } from '../../contract/topics/equipment/equipment-tap.js'
import type { Event } from '../../contract/topics/events.js'
import type { Message } from '../../contract/topics/messages.js'
import { type Job, jobAfter } from './job.js'
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
  /** Open alarms that are shelved. */
  readonly shelved: number
  /** Who holds the lock, and why. */
  readonly lock: string | undefined
  /** The text of the most urgent active alarm, and when it was set. */
  readonly alarm: string | undefined
  readonly alarmSince: string | undefined
  readonly severity: Severity | undefined
  /** Without a connection, when the last message came; null where none is recorded. */
  readonly lastMessage: string | null
  /** How its tap stands; undefined without one. */
  readonly tap: TapLink['state'] | undefined
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
    this.tile = signal(tileOf(record, NO_ALARMS, {}))
  }

  get id(): string {
    return this.record.id
  }
}

const tileOf = (record: Equipment, { active, unacknowledged, shelved, worst }: AlarmsOf, job: Job): Tile => ({
  name: record.name,
  labels: record.labels,
  state: toolStateOf(record, active),
  connection: record.connection_state,
  control: record.control_state,
  health: record.health,
  healthReason: record.health_reason,
  activeAlarms: active,
  unacknowledged,
  shelved,
  lock: record.lock ? `${record.lock.by}: ${record.lock.reason}` : undefined,
  alarm: worst && (worst.text || worst.alid),
  alarmSince: worst?.set_at,
  severity: worst && severityOf(worst.category),
  lastMessage: record.connection_state === 'SELECTED' ? null : record.responsiveness.last_message_at,
  tap: record.tap ? (record.tap_link?.state ?? 'connected') : undefined,
  job,
})

const isSame = (a: Tile, b: Tile): boolean =>
  (Object.keys(a) as (keyof Tile)[]).every((member) => a[member] === b[member])

type AlarmsShown = Pick<OpenAlarms, 'list' | 'leftOut' | 'isKnown'>

const byName = new Intl.Collator(undefined, { numeric: true })

/** Milliseconds by which an event may be older than its kind usually is, and still count as traffic of now. */
const MAX_LAG_MS = 15_000

/**
 * All equipment of the site and how many alarms it has, kept up to date by events. Tiles change together, in `flush`, so that
 * hundreds of events in a second make a few renderings.
 */
export class Site {
  /** What was read and what events have changed since. */
  readonly records = new SiteRecords((id) => this.#changed.add(id))
  /** The open alarms that a page lists, as of the last rendering, which nothing changes. */
  readonly alarms = signal<AlarmsShown>({ list: [], leftOut: 0, isKnown: false })
  /** Ids of equipment of which the gateway may leave out active alarms. */
  readonly incomplete = signal<readonly string[]>([])
  /** All equipment by name. */
  readonly tools = signal<readonly Tool[]>([])
  /** Rises when a tile has changed: what is computed from all tiles reads it. */
  readonly version = signal(0)
  /** Open alarms of all equipment that nobody has acknowledged. */
  readonly unacknowledged = computed(() => {
    this.version.value
    return this.tools.value.reduce((sum, { tile }) => sum + tile.peek().unacknowledged, 0)
  })
  readonly #tools = new Map<string, Tool>()
  /** Ids of equipment whose record, alarms or job have changed since the last rendering. */
  readonly #changed = new Set<string>()
  #leastLag = Number.POSITIVE_INFINITY
  #second = 0

  get(id: string): Tool | undefined {
    return this.#tools.get(id)
  }

  /** True when something waits for `flush`. */
  get isDirty(): boolean {
    return this.#changed.size > 0
  }

  /** Renders what has changed since the last call. */
  flush(): void {
    const { list, leftOut, isKnown } = this.records.alarms
    batch(() => {
      let [reordered, rendered] = [false, false]
      for (const id of this.#changed) {
        reordered = this.#take(id, this.records.equipment.get(id)) || reordered
        const tool = this.#tools.get(id)
        if (!tool) continue
        const tile = tileOf(tool.record, this.records.counts.of(id), tool.job)
        if (isSame(tile, tool.tile.peek())) continue
        tool.tile.value = tile
        rendered = true
      }
      this.#changed.clear()
      if (reordered) this.#order()
      if (rendered) this.version.value++
      const shown = this.alarms.peek()
      if (list !== shown.list || isKnown !== shown.isKnown) this.alarms.value = { list, leftOut, isKnown }
      const { incomplete } = this.records.counts
      if (String(incomplete) !== String(this.incomplete.peek())) this.incomplete.value = incomplete
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

  /** Counts a message as traffic, and reads what its report says of the job. `now`: milliseconds of this computer's clock. */
  count({ type, name, at, data, equipment_id }: Event, now: number): void {
    const tool = this.#tools.get(equipment_id)
    if (!tool || type !== 'message' || name === 'message_ended') return
    // Messages of an interruption come all at once when it is over: they are no traffic of this moment.
    const lag = now - Date.parse(at)
    this.#leastLag = Math.min(this.#leastLag, lag)
    if (lag - this.#leastLag < MAX_LAG_MS) tool.traffic.add()
    const { collection_event } = data as Partial<Message>
    if (!collection_event) return
    const job = jobAfter(tool.job, collection_event)
    if (job === tool.job) return
    tool.job = job
    this.#changed.add(tool.id)
  }

  /** The job of equipment whose reports came before the page was opened. */
  setJob(id: string, job: Job): void {
    const tool = this.#tools.get(id)
    if (!tool) return
    tool.job = { ...job, ...tool.job }
    this.#changed.add(tool.id)
  }

  /** True when the order of the equipment has changed. */
  #take(id: string, record: Equipment | undefined): boolean {
    const known = this.#tools.get(id)
    if (!record) return this.#tools.delete(id)
    if (known) {
      const renamed = known.record.name !== record.name
      known.record = sameLabels(known.record, record)
      return renamed
    }
    this.#tools.set(id, new Tool(record))
    return true
  }

  #order(): void {
    this.tools.value = [...this.#tools.values()].sort((a, b) => byName.compare(a.record.name, b.record.name))
  }
}

/** Keeps the object with the labels where they are the same, so that the tile is the same. */
function sameLabels({ labels }: Equipment, record: Equipment): Equipment {
  return JSON.stringify(labels) === JSON.stringify(record.labels) ? { ...record, labels } : record
}
