import type { Event } from '../../src/contract/topics/events.js'
import type { Message } from '../../src/contract/topics/messages.js'
import { requireDocumentedEvent } from '../support/api-document.js'
import { OpenAlarms } from './open-alarms.js'
import type { Site } from './site.js'
import { type Tool, tickIn } from './tool.js'

/** Events of a kind that a reader compares with the API's document: the first ones, and of the others one of so many. */
const DOCUMENTED_FIRST = 20
const DOCUMENTED_EVERY = 16

/** Events that are remembered for comparison with lists. */
const MAX_RECENT = 2000

type NumberedEvent = Omit<Event, 'id'> & { readonly id: number }

/** What is remembered of an event. `message`: such as S6F11; undefined where it is no message. */
export type ShownEvent = Pick<NumberedEvent, 'id' | 'type' | 'equipment_id' | 'at'> & {
  readonly message: string | undefined
}

/** The event's parts that everybody must be shown alike. */
const digestOf = ({ type, name, equipment_id, at, data }: Event): string => {
  const { stream, function: number, system_bytes, alid, to } = data as Record<string, unknown>
  return [type, name, equipment_id, at, stream, number, system_bytes, alid, to].join(' ')
}

/** Compares what a reader is shown with what the tools know, and with what other readers are shown. */
export class Reader {
  last = 0
  /** Ids in the order of reading that the other reader has not been shown yet. */
  readonly ahead: number[] = []
  other: Reader | undefined
  /** Events up to this id are not compared: retention has removed some before one of the two readers was shown them. */
  comparedFrom = 0
  /** How often a backup was restored. */
  epoch = 0
  /** The last events that it was shown, without a gap between them. */
  recent: ShownEvent[] = []
  readonly openAlarms = new OpenAlarms()
  #isBehindGap = false
  readonly #acknowledged = new Set<string>()
  readonly #byId = new Map<string, Tool>()
  /** How many events of each kind it was shown. */
  readonly #kinds = new Map<string, number>()

  constructor(
    readonly site: Site,
    readonly name: string,
    /** True for the one whose events are compared with the reports of tools. */
    readonly isFirst: boolean,
  ) {}

  take(event: Event): void {
    const { observer } = this.site
    const id = Number(event.id)
    observer.require(
      id > this.last,
      'Every reader is shown events in the order of their ids, each once.',
      () => `${this.name} was shown ${id} after ${this.last}`,
    )
    this.last = id
    if (this.isFirst) this.#remember({ ...event, id })
    this.#requireDocumented(event)
    observer.show({ id, digest: digestOf(event) })
    observer.count(`events shown to ${this.name}`)
    this.#compare(id)
    this.openAlarms.take(event)
    if (this.isFirst && event.type === 'alarm')
      for (const target of this.site.targets) target.expect(id, event.equipment_id)
    if (event.type === 'state' && this.isFirst) this.site.lots.take(event)
    if (event.name === 'alarm_acknowledged' && this.isFirst) {
      const { alarm_id } = event.data as { readonly alarm_id: string }
      observer.require(
        !this.#acknowledged.has(alarm_id),
        'An alarm is acknowledged once.',
        () => `${id} acknowledges alarm ${alarm_id} again`,
      )
      this.#acknowledged.add(alarm_id)
    }
    if ((event.type === 'message' || event.name === 'tap_gap') && this.isFirst) this.#report(event)
  }

  #requireDocumented(event: Event): void {
    const { stream, function: number } = event.data as Partial<Message>
    const kind = `${event.name} ${stream} ${number}`
    const count = (this.#kinds.get(kind) ?? 0) + 1
    this.#kinds.set(kind, count)
    if (count <= DOCUMENTED_FIRST || count % DOCUMENTED_EVERY === 0) requireDocumentedEvent(event)
  }

  #remember({ id, type, name, equipment_id, at, data }: NumberedEvent): void {
    if (this.recent.length > 2 * MAX_RECENT) this.recent = this.recent.slice(-MAX_RECENT)
    const { stream, function: number } = data as Partial<Message>
    const message = type === 'message' && name !== 'message_ended' ? `S${stream}F${number}` : undefined
    this.recent.push({ id, type, equipment_id, at, message })
  }

  /** Of the last events that it was shown those after this id. */
  shownAfter(id: number): readonly ShownEvent[] {
    const { recent } = this
    let [from, to] = [0, recent.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if ((recent[middle] as ShownEvent).id > id) to = middle
      else from = middle + 1
    }
    return recent.slice(from)
  }

  /** Retention has removed events that this reader was not shown: it continues after `last`. */
  skip(last: number): void {
    this.last = last
    this.recent = []
    this.openAlarms.forget()
    this.#isBehindGap = true
    if (this.isFirst) {
      for (const tool of this.site.tools) tool.forget()
      this.site.lots.forget()
    }
    this.site.observer.count(`gaps of ${this.name}`)
  }

  /** A backup of the journal up to this entry was restored: what had higher numbers is gone. */
  restored(last: number): void {
    this.last = Math.min(this.last, last)
    this.epoch += 1
    this.recent = []
    this.openAlarms.forget()
    this.#isBehindGap = false
    this.comparedFrom = last
    this.ahead.length = 0
    this.#acknowledged.clear()
  }

  /** What another reader was shown before, this one is shown, too, in the same order. */
  #compare(id: number): void {
    const { other } = this
    if (!other) return
    if (this.#isBehindGap) {
      this.#isBehindGap = false
      this.comparedFrom = Math.max(id, other.last)
      other.comparedFrom = this.comparedFrom
      this.ahead.length = 0
      other.ahead.length = 0
    }
    if (id <= this.comparedFrom) return
    const expected = other.ahead.shift()
    if (expected === undefined) {
      this.ahead.push(id)
      return
    }
    this.site.observer.require(
      expected === id,
      'Every reader is shown the same events.',
      () => `${this.name} was shown ${id} and not ${expected}, which ${other.name} was shown`,
    )
  }

  /** What has left a spool is of the past. */
  #requireMarked({ id, data }: Event, { name }: Tool, count: number): void {
    const { observer } = this.site
    observer.count('reports shown that were spooled')
    observer.require(
      (data as Partial<Message>).may_be_spooled === true,
      'Messages that arrive while the equipment sends its spool are marked `spooled?`.',
      () => `${id}: report ${count} of ${name}`,
    )
  }

  #passedTap(tool: Tool, event: Event): void {
    if (event.name === 'tap_gap') {
      const { messages } = event.data as { readonly messages: number }
      this.site.observer.count('messages that gaps of taps have named', messages)
      tool.gap(messages)
    } else if (tool.tapped && !isGateways(event)) tool.tapped.recorded += 1
  }

  /** An S6F11 of a tool: those that were acknowledged before it have been shown. */
  #report(event: Event): void {
    const { tools, ids, observer } = this.site
    if (!this.#byId.has(event.equipment_id))
      for (const tool of tools) this.#byId.set(ids.get(tool) ?? '', tool)
    const tool = this.#byId.get(event.equipment_id)
    if (tool?.ownHost) this.#passedTap(tool, event)
    if (event.name !== 'message_received') return
    const count = countOf(event)
    if (!tool || count === undefined) return
    observer.count('reports shown')
    // It may have been sent before and recorded, and spooled because it got no reply.
    const isFromSpool = tool.spooled.get(count) === (event.data as Partial<Message>).system_bytes
    if (isFromSpool && tool.spooled.delete(count)) this.#requireMarked(event, tool, count)
    const missed = tool.shown(count)
    observer.require(
      missed === undefined,
      'A report that was acknowledged to equipment is recorded and shown.',
      () => `${tool.name}: ${missed} was acknowledged; ${count} follows without it`,
    )
  }
}

/** The gateway has sent it, or got it. */
const isGateways = ({ data }: Event): boolean => [data['from'], data['to']].includes('gateway')

/** The number in the tick of a tool; undefined for any other message. */
function countOf({ data }: Event): number | undefined {
  const { stream, function: number, sml } = data as Partial<Message>
  return stream === 6 && number === 11 ? tickIn(sml ?? '') : undefined
}
