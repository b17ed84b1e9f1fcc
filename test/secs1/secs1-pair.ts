import type { HsmsInput, HsmsOutput } from '../../src/hsms/io.js'
import type { DataMessage } from '../../src/hsms/message.js'
import type { Outcome } from '../../src/hsms/outcome.js'
import { Secs1Protocol } from '../../src/secs1/secs1-protocol.js'
import { SECS1_DEFAULTS, type Secs1Settings } from '../../src/secs1/settings.js'

export type Side = 'host' | 'equipment'
const OTHER = { host: 'equipment', equipment: 'host' } as const

/** Changes bytes on their way; `side` is the sender. */
export type Noise = (bytes: Uint8Array, side: Side) => Uint8Array

export const secs1Settings = (side: Side, given: Partial<Secs1Settings> = {}): Secs1Settings => ({
  ...SECS1_DEFAULTS,
  role: side === 'host' ? 'active' : 'passive',
  host: '127.0.0.1',
  port: 5000,
  deviceId: 0,
  side,
  isMaster: side === 'equipment',
  ...given,
})

interface Arrival {
  readonly at: number
  readonly to: Side
  readonly bytes: Uint8Array
}

/** Two SECS-I machines on one line, in made-up time. A byte takes `byteTime` ms to pass, and each write `delay` ms. */
export class Secs1Pair {
  now = 0
  readonly protocols: Readonly<Record<Side, Secs1Protocol>>
  readonly received: Record<Side, DataMessage[]> = { host: [], equipment: [] }
  readonly ended: Record<Side, Map<number, Outcome>> = { host: new Map(), equipment: new Map() }
  readonly faults: Record<Side, string[]> = { host: [], equipment: [] }
  /** Answers primaries with W-bit: the body of the reply, or undefined for none. */
  reply: (primary: DataMessage, side: Side) => Uint8Array | undefined = () => undefined
  readonly #arrivals: Arrival[] = []
  readonly #lineFreeAt: Record<Side, number> = { host: 0, equipment: 0 }
  #isUp = false

  constructor(
    settings: Partial<Secs1Settings> = {},
    readonly noise: Noise = (bytes) => bytes,
    readonly delay = 1,
    isEquipmentMaster = true,
  ) {
    const made = (side: Side) => {
      const isMaster = (side === 'equipment') === isEquipmentMaster
      return new Secs1Protocol(secs1Settings(side, { isMaster, ...settings }), () => 0)
    }
    this.protocols = { host: made('host'), equipment: made('equipment') }
    this.feed('equipment', { kind: 'start' })
    this.feed('host', { kind: 'start' })
  }

  get byteTime(): number {
    return this.protocols.host.settings.byteTime
  }

  /** Sends a primary with W-bit; its system bytes, or undefined where the line is busy. */
  ask(side: Side, message: Omit<DataMessage, 'systemBytes' | 'sessionId' | 'wait'>): number | undefined {
    const systemBytes = this.protocols[side].reserve()
    if (systemBytes === undefined) return undefined
    this.feed(side, { kind: 'request', message: { ...message, wait: true, sessionId: 0, systemBytes } })
    return systemBytes
  }

  feed(side: Side, input: HsmsInput): void {
    for (const output of this.protocols[side].handle(input, this.now)) this.#carry(side, output)
  }

  /** Runs until then, or until nothing is left to happen. */
  run(until = Number.POSITIVE_INFINITY): void {
    for (;;) {
      const next = this.#arrivals[0]
      const due = (['host', 'equipment'] as const)
        .map((side) => ({ side, at: this.protocols[side].deadline ?? Number.POSITIVE_INFINITY }))
        .sort((one, two) => one.at - two.at)[0] as { side: Side; at: number }
      const at = Math.min(next?.at ?? Number.POSITIVE_INFINITY, due.at)
      if (at > until || at === Number.POSITIVE_INFINITY) {
        if (Number.isFinite(until)) this.now = until
        return
      }
      this.now = Math.max(this.now, at)
      if (next && next.at <= due.at) {
        this.#arrivals.shift()
        if (this.#isUp) this.feed(next.to, { kind: 'bytes', bytes: next.bytes })
      } else this.feed(due.side, { kind: 'tick' })
    }
  }

  #carry(side: Side, output: HsmsOutput): void {
    const other = OTHER[side]
    switch (output.kind) {
      case 'listen':
        return this.feed(side, { kind: 'listening' })
      case 'dial':
        this.#isUp = true
        this.#arrivals.length = 0
        this.feed(other, { kind: 'connected' })
        return this.feed(side, { kind: 'connected' })
      case 'close':
        if (!this.#isUp) return
        this.#isUp = false
        return this.feed(other, { kind: 'disconnected', detail: 'closed' })
      case 'write': {
        const bytes = this.noise(output.bytes, side)
        if (bytes.length === 0) return
        const begins = Math.max(this.now, this.#lineFreeAt[side])
        this.#lineFreeAt[side] = begins + bytes.length * this.byteTime
        this.#arrive({ at: this.#lineFreeAt[side] + this.delay, to: other, bytes })
        return
      }
      case 'changed':
        if (output.fault) this.faults[side].push(`${output.fault.code}: ${output.fault.detail}`)
        return
      case 'received': {
        const { message } = output.received
        this.received[side].push(message)
        if (output.received.kind !== 'primary' || !message.wait) return
        const body = this.reply(message, side)
        if (body)
          this.feed(side, {
            kind: 'send',
            message: { ...message, function: message.function + 1, wait: false, body },
          })
        return
      }
      case 'ended':
        this.ended[side].set(output.systemBytes, output.outcome)
    }
  }

  #arrive(arrival: Arrival): void {
    const after = this.#arrivals.findLastIndex((other) => other.at <= arrival.at)
    this.#arrivals.splice(after + 1, 0, arrival)
  }
}
