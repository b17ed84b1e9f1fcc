import type { Event } from '../../src/contract/topics/events.js'
import type { Chance } from './chance.js'
import type { Network, Socket } from './network.js'
import type { Observer } from './observer.js'
import { Host, type World } from './world.js'

const PORT = 80
const MINUTE = 60_000
/** Messages that may be delivered and not yet shown to the reader with which they are compared. */
const MAX_EARLY = 10_000

/** What a target does with a request. */
type Manner =
  | 'accepts'
  | 'is slow'
  | 'refuses'
  | 'rejects some'
  | 'keeps and says 500'
  | 'hangs'
  | 'breaks off'
const MANNERS: readonly Manner[] = [
  'accepts',
  'is slow',
  'refuses',
  'rejects some',
  'keeps and says 500',
  'hangs',
  'breaks off',
]

/** So many messages wait for a target that takes several in a call, before it takes one and rejects some. */
const TOGETHER = 3

/** Those that it rejects for ever, as long as it rejects any. */
const isRejected = ({ data }: Message): boolean => Number(data.id) % 3 === 0

/** A webhook's target, which keeps what it accepts and compares it with what readers of the gateway are shown. */
export class WebhookTarget {
  readonly host: Host
  manner: Manner = 'accepts'
  /** What it does while somebody sees to its sink, which others leave alone then. */
  held: Manner | undefined
  readonly #chance: Chance
  /** Ids of events that have to come, in their order. */
  readonly expected: number[] = []
  readonly #equipmentOf = new Map<number, string>()
  /** Ids that came before the reader was shown them. */
  readonly #early = new Set<number>()
  /** The last new id of each equipment. */
  readonly #last = new Map<string, number>()
  /** Ids that were rejected: they may come late. */
  readonly #rejected = new Set<number>()
  /** Ids that came, to recognise repeats. */
  readonly #came = new Set<number>()
  /** Events up to this one do not have to come: the sink was added after them. */
  #since = 0

  constructor(
    readonly world: World,
    readonly network: Network,
    readonly observer: Observer,
    readonly name: string,
    number: number,
    /** Which equipment has its events delivered, and how many in a request. */
    readonly settings: {
      readonly equipment?: readonly string[]
      readonly label_selector?: string
      readonly batch?: number
    },
    /** Whether an event matches; undefined where that cannot be known. */
    readonly matches: (equipmentId: string, event: number) => boolean | undefined,
  ) {
    this.host = new Host(name, `10.3.0.${number}`, world)
    this.#chance = world.chance.fork(name)
    world.after(this.host, 0, () => {
      network.createServer((socket) => this.#serve(socket)).listen(PORT)
    })
  }

  get url(): string {
    return `http://${this.host.ip}:${PORT}/`
  }

  /** It behaves in another way for a while, and well when it is calm. */
  async change(isCalm: () => boolean): Promise<void> {
    for (;;) {
      const until = this.world.now + this.#chance.between(30_000, 20 * 60_000)
      while (this.world.now < until) {
        await this.world.sleep(this.host, Math.min(MINUTE, until - this.world.now))
        if (isCalm()) this.manner = 'accepts'
      }
      this.manner = isCalm() ? 'accepts' : this.#chance.pick(MANNERS)
    }
  }

  /** Its sink is as the administrator added it. */
  get sink(): object {
    const { batch = 1, ...filters } = this.settings
    return { name: this.name, webhook: { url: this.url, batch }, ...filters, types: ['alarm'] }
  }

  /** The event that has to come next: one that was rejected comes when somebody wants it to. */
  get next(): number | undefined {
    return this.expected.find((id) => !this.#rejected.has(id))
  }

  get isRemoved(): boolean {
    return this.#since === Number.POSITIVE_INFINITY
  }

  /** Its sink is removed, or may be. */
  removed(): void {
    this.added(Number.POSITIVE_INFINITY)
  }

  /** Its sink was added, not before this entry. */
  added(after: number): void {
    this.#since = after
    this.#drop((id) => id <= after)
  }

  /** What had higher numbers than this is gone from the journal: what comes from now on is new. */
  rolledBack(last: number): void {
    this.rollingBack()(last)
  }

  /** The same where it is not known yet after which entry: of what has come until now, not of what comes meanwhile. */
  rollingBack(): (last: number) => void {
    const before = [this.#early, this.#came, this.#rejected].map((ids) => [ids, [...ids]] as const)
    // It goes on where the backup was made: with what a gap message has named meanwhile, too.
    this.#last.clear()
    return (last) => {
      for (const [ids, came] of before) for (const id of came) if (id > last) ids.delete(id)
    }
  }

  /** Readers begin anew after this entry. */
  restored(last: number): void {
    this.#drop((id) => id > last)
    // What came meanwhile does not come again when they are shown it again.
    for (const id of this.#came) if (id > last) this.#early.add(id)
  }

  /** An event was shown to a reader: where it matches, it has to come here, too. */
  expect(id: number, equipmentId: string): void {
    if (id <= this.#since || this.matches(equipmentId, id) !== true) return
    if (this.#early.delete(id)) return
    this.expected.push(id)
    this.#equipmentOf.set(id, equipmentId)
  }

  #serve(socket: Socket): void {
    let bytes = Buffer.alloc(0)
    socket.on('error', () => {})
    socket.on('data', (piece: Buffer) => {
      bytes = Buffer.concat([bytes, piece])
      for (;;) {
        const head = bytes.indexOf('\r\n\r\n')
        if (head < 0) return
        const [, length = '0'] = /content-length: (\d+)/i.exec(bytes.toString('latin1', 0, head)) ?? []
        const end = head + 4 + Number(length)
        if (bytes.length < end) return
        const body = bytes.toString('utf8', head + 4, end)
        bytes = bytes.subarray(end)
        this.#answer(socket, body)
      }
    })
  }

  #answer(socket: Socket, body: string): void {
    const { world } = this
    const manner = this.held ?? this.manner
    this.observer.count(`webhook ${manner}`)
    const respond = (status: string): void => {
      socket.write(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\n\r\n`)
    }
    if (manner === 'hangs') return
    if (manner === 'breaks off') return void socket.destroy()
    if (manner === 'refuses') return respond('503 Service Unavailable')
    const messages = [JSON.parse(body)].flat() as Message[]
    const isAlone =
      messages.length === 1 && this.expected.length < Math.min(TOGETHER, this.settings.batch ?? 1)
    if (manner === 'rejects some' && isAlone) return respond('503 Service Unavailable')
    this.observer.count(`webhook calls with several messages: ${manner}`, Number(messages.length > 1))
    if (manner === 'rejects some' && messages.some(isRejected)) {
      for (const { data } of messages.filter(isRejected)) this.#rejected.add(Number(data.id))
      return respond('400 Bad Request')
    }
    for (const message of messages) this.#take(message)
    if (manner === 'keeps and says 500') return respond('500 Internal Server Error')
    const wait = manner === 'is slow' ? this.#chance.between(1000, 20_000) : this.#chance.around(2)
    world.after(this.host, wait, () => respond('204 No Content'))
  }

  #take({ type, data }: Message): void {
    if (type === 'secsctl.gap') return this.#gap(Number(data.from), Number(data.to))
    const id = Number(data.id)
    if (this.#came.has(id)) return this.observer.count('webhook repeats')
    this.#came.add(id)
    this.observer.count('webhook events')
    const { equipment_id } = data as unknown as Event
    this.observer.require(
      this.matches(equipment_id, id) !== false,
      'A sink delivers nothing that did not match it when it happened.',
      () => `${this.name} got ${id} of ${equipment_id}`,
    )
    const last = this.#last.get(equipment_id) ?? 0
    this.observer.require(
      id > last || this.#rejected.has(id),
      'A sink delivers the events of one equipment in order.',
      () => `${this.name}: ${id} of ${equipment_id} came after ${last}`,
    )
    this.#last.set(equipment_id, Math.max(id, last))
    // One that came afterwards would not be in order.
    const missing = this.expected.find(
      (other) => other >= id || (this.#equipmentOf.get(other) === equipment_id && !this.#rejected.has(other)),
    )
    this.observer.require(
      missing === undefined || missing >= id || this.#rejected.has(id),
      'Every event that matches a sink is delivered at least once, or named in a gap.',
      () => `${this.name} got ${id} of ${equipment_id}, and not ${missing} before`,
    )
    const [first = Number.POSITIVE_INFINITY] = this.expected
    if (id < first) this.#keepEarly(id, equipment_id)
    else this.#expectedCame(id, equipment_id)
  }

  #expectedCame(id: number, equipmentId: string): void {
    const at = this.expected.indexOf(id)
    if (at < 0) return this.#keepEarly(id, equipmentId)
    this.expected.splice(at, 1)
    this.#equipmentOf.delete(id)
  }

  #keepEarly(id: number, equipmentId: string): void {
    if (id <= this.#since || this.matches(equipmentId, id) === undefined) return
    this.#early.add(id)
    this.observer.require(
      this.#early.size < MAX_EARLY,
      'A sink delivers what readers are shown.',
      () => `${this.name} got ${this.#early.size} events that no reader was shown`,
    )
  }

  #gap(from: number, to: number): void {
    this.observer.count('webhook gaps')
    this.#drop((id) => id >= from && id <= to)
  }

  /** Those do not have to come any more. */
  #drop(which: (id: number) => boolean): void {
    for (const id of this.expected.filter(which)) this.#equipmentOf.delete(id)
    this.expected.splice(0, Number.POSITIVE_INFINITY, ...this.expected.filter((id) => !which(id)))
  }
}

interface Message {
  readonly type: string
  readonly data: { readonly id: string; readonly from?: string; readonly to?: string }
}
