import { HsmsProtocol } from '../../src/hsms/hsms-protocol.js'
import type { HsmsInput, HsmsOutput, Received } from '../../src/hsms/io.js'
import { isPrimary } from '../../src/hsms/message.js'
import type { HsmsSettings } from '../../src/hsms/settings.js'
import { SETTINGS, type Side } from '../support/hsms-pair.js'
import { message } from '../support/hsms-wire.js'
import { LineBetween } from '../support/line-between.js'
import { HsmsLaws } from './hsms-laws.js'

/** A number of 0 to 1, without 1. */
export type Chance = () => number

/** A TCP connection. What a side has closed, it neither hears nor says anything by. */
interface Connection {
  readonly open: Record<Side, boolean>
  /** When the last that was written this way arrives: bytes keep their order. */
  readonly arrival: Record<Side, number>
  /** True: whatever is on its way is lost, and nobody is told. */
  dead: boolean
  /** On the way from one side to the other. */
  readonly line: LineBetween
}

const OTHER = { host: 'equipment', equipment: 'host' } as const satisfies Record<Side, Side>
const SIDES = ['host', 'equipment'] as const

/** How long bytes or the word of an end take, in milliseconds. */
const LONGEST_DELAY = 1_500
/** How long a side thinks before it replies. Longer than T3 now and then. */
const LONGEST_THOUGHT = 6_000

/**
 * A host that dials and an equipment that listens, each under the laws, with a network between them that delays,
 * cuts what is written into chunks, ends connections, and dies in silence. On made-up time.
 */
export class HsmsNetwork {
  readonly laws: Record<Side, HsmsLaws>
  now = 0
  /** What the equipment sent about what the gateway at a tap asked. */
  repliesToGateway = 0
  /** What is to happen, in order of time. */
  readonly #events: { readonly at: number; readonly run: () => void }[] = []
  #connection: Connection | undefined
  /** The one that each side speaks by. */
  readonly #own: Record<Side, Connection | undefined> = { host: undefined, equipment: undefined }
  constructor(
    readonly chance: Chance,
    settings: Partial<HsmsSettings>,
  ) {
    const machine = (role: HsmsSettings['role']): HsmsLaws =>
      new HsmsLaws(new HsmsProtocol({ ...SETTINGS, ...settings, role }, chance))
    this.laws = { host: machine('active'), equipment: machine('passive') }
  }

  feed(side: Side, input: HsmsInput): void {
    for (const output of this.laws[side].handle(input, this.now)) this.#carry(side, output)
  }

  /** Makes a request, unless too many are open. */
  ask(side: Side): void {
    const systemBytes = this.laws[side].protocol.reserve()
    if (systemBytes === undefined) return
    const body = new Uint8Array(Math.floor(this.chance() * 60))
    this.feed(side, { kind: 'request', message: message({ systemBytes, body }) })
  }

  /** The gateway at a tap asks the equipment; nothing happens without a tap. */
  askAtTap(): void {
    const connection = this.#connection
    const { systemBytes: _, ...asked } = message()
    if (connection?.open.equipment) connection.line.ask(asked)
  }

  /** The connection ends, and each side hears of it in its own time. */
  cut(): void {
    const connection = this.#connection
    if (!connection) return
    connection.dead = true
    for (const side of SIDES) this.#later(this.#delay(), () => this.#lost(side, connection))
  }

  /** The cable is pulled: nobody is told. */
  silence(): void {
    if (this.#connection) this.#connection.dead = true
  }

  /** Runs what is to happen until then, deadlines of the machines among it. */
  advance(until: number): void {
    for (;;) {
      const [event] = this.#events
      const due = SIDES.map((side) => ({ side, at: this.laws[side].protocol.deadline ?? Infinity }))
      const [timer] = due.sort((a, b) => a.at - b.at)
      const at = Math.min(event?.at ?? Infinity, timer?.at ?? Infinity)
      if (at > until) break
      this.now = Math.max(this.now, at)
      if (event && event.at === at) {
        this.#events.shift()
        event.run()
      } else if (timer) this.feed(timer.side, { kind: 'tick' })
    }
    this.now = until
  }

  #later(after: number, run: () => void): void {
    const at = this.now + after
    const behind = this.#events.findIndex((event) => event.at > at)
    this.#events.splice(behind < 0 ? this.#events.length : behind, 0, { at, run })
  }

  #delay(): number {
    return this.chance() ** 4 * LONGEST_DELAY
  }

  #carry(side: Side, output: HsmsOutput): void {
    switch (output.kind) {
      case 'listen':
        this.feed(side, { kind: 'listening' })
        break
      case 'dial':
        this.#later(this.#delay(), () => this.#dialled())
        break
      case 'write':
        this.#write(side, output.bytes)
        break
      case 'close':
        this.#close(side)
        break
      case 'received':
        this.#heard(side, output.received)
    }
  }

  #dialled(): void {
    const { host, equipment } = this.laws
    if (host.protocol.state !== 'CONNECTING' || host.protocol.retryAt !== undefined) return // given up meanwhile
    if (equipment.protocol.state === 'NOT_CONNECTED') {
      this.feed('host', { kind: 'failed', fault: { code: 'connection_refused', detail: 'nobody listens' } })
      return
    }
    const connection: Connection = {
      open: { host: true, equipment: true },
      arrival: { host: this.now, equipment: this.now },
      dead: false,
      line: new LineBetween(
        (at, bytes) => this.#travel(connection, at, bytes),
        () => this.repliesToGateway++,
      ),
    }
    this.#own.host = connection
    if (equipment.protocol.state !== 'LISTENING') {
      // It has one that it believes in: this one is closed.
      connection.open.equipment = false
      this.feed('equipment', { kind: 'surplus' })
      this.feed('host', { kind: 'connected' })
      this.#later(this.#delay(), () => this.#lost('host', connection))
      return
    }
    this.#connection = connection
    this.#own.equipment = connection
    this.feed('equipment', { kind: 'connected' })
    this.feed('host', { kind: 'connected' })
  }

  #write(side: Side, bytes: Uint8Array): void {
    const connection = this.#own[side]
    if (!connection?.open[side]) throw new Error(`the ${side} writes without a connection`)
    connection.line.pass(side, bytes)
  }

  #travel(connection: Connection, other: Side, bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      const piece = bytes.subarray(at, at + 1 + Math.floor(this.chance() * bytes.length))
      at += piece.length
      this.#inOrder(connection, other, () => this.feed(other, { kind: 'bytes', bytes: piece }))
    }
  }

  /** Lets something arrive at a side, behind all that was on its way there. */
  #inOrder(connection: Connection, side: Side, arrive: () => void): void {
    connection.arrival[side] = Math.max(connection.arrival[side], this.now + this.#delay())
    this.#later(connection.arrival[side] - this.now, () => {
      if (!connection.dead && connection.open[side]) arrive()
    })
  }

  #close(side: Side): void {
    const connection = this.#own[side]
    if (!connection) return
    connection.open[side] = false
    this.#own[side] = undefined
    this.#inOrder(connection, OTHER[side], () => this.#lost(OTHER[side], connection))
  }

  #lost(side: Side, connection: Connection): void {
    if (!connection.open[side]) return
    connection.open[side] = false
    if (this.#own[side] === connection) this.#own[side] = undefined
    this.feed(side, { kind: 'disconnected', detail: 'the peer closed the connection' })
  }

  #heard(side: Side, { message: heard }: Received): void {
    if (!isPrimary(heard) || !heard.wait) return
    const reply = { ...heard, function: heard.function + 1, wait: false }
    this.#later(this.chance() ** 3 * LONGEST_THOUGHT, () => this.feed(side, { kind: 'send', message: reply }))
  }
}
