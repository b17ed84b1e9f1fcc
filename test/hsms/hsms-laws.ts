import { CONNECTION_STATES, type ConnectionState } from '../../src/hsms/connection-states.js'
import { FrameReader } from '../../src/hsms/frame/frame.js'
import { STYPE } from '../../src/hsms/frame/header.js'
import type { HsmsProtocol } from '../../src/hsms/hsms-protocol.js'
import type { HsmsInput, HsmsOutput } from '../../src/hsms/io.js'

/** What the peer is told without having asked: everything else that we write is an answer to its bytes. */
const OF_OUR_OWN: ReadonlySet<number> = new Set([
  STYPE.data,
  STYPE.selectReq,
  STYPE.linktestReq,
  STYPE.separateReq,
])

/** Times are sums and differences of fractions, in milliseconds. */
const ROUNDING = 1e-6

/** As `expect`, which takes longer than the machine that is watched. */
function demand(holds: boolean, law: string, seen?: unknown): void {
  if (!holds) throw new Error(`broken: ${law} (${JSON.stringify(seen)})`)
}

/**
 * What must hold of every machine after every input:
 *
 * 1. States follow the table, and `state` is where the last change led.
 * 2. One attempt or connection at a time, no dial before T5 since the end of the last, and none unless wanted.
 * 3. What is written is one whole frame, while a connection is there; a data message only while SELECTED.
 * 4. Only the active side selects, once a connection. Linktests are a period apart, but for
 *    those that a refused connection brings about. Answers follow bytes alone.
 * 5. Every request ends exactly once, and none is open while not SELECTED.
 * 6. No request of ours has the system bytes of another that is open.
 * 7. Once stopped it has no timer, and says nothing but that a connection is to be closed.
 * 8. While something is to happen by itself there is a deadline, and `tick` leaves none behind.
 * 9. Messages are delivered only while SELECTED.
 */
export class HsmsLaws {
  readonly #open = new Set<number>()
  #asked = 0
  #ended = 0
  #state: ConnectionState = 'NOT_CONNECTED'
  #wanted = false
  #underWay: 'nothing' | 'dial' | 'connection' = 'nothing'
  #paused = false
  #attemptEndedAt: number | undefined
  #selects = 0
  #linktestAt: number | undefined

  constructor(readonly protocol: HsmsProtocol) {}

  /** How many requests were made, and how many of them have ended. */
  get requests(): { readonly asked: number; readonly ended: number } {
    return { asked: this.#asked, ended: this.#ended }
  }

  /** Feeds the machine and watches it. */
  handle(input: HsmsInput, now: number): readonly HsmsOutput[] {
    const wasWanted = this.#wanted
    this.#before(input, now)
    const outputs = this.protocol.handle(input, now)
    for (const output of outputs) this.#output(input, output, now)
    if (!wasWanted && !this.#wanted) {
      const allowed = input.kind === 'request' ? ['ended'] : ['close', 'passed']
      for (const { kind } of outputs) demand(allowed.includes(kind), 'it says nothing while stopped', kind)
    }
    this.#after(input, now)
    return outputs
  }

  #before(input: HsmsInput, now: number): void {
    switch (input.kind) {
      case 'start':
        this.#wanted = true
        break
      case 'stop':
        this.#wanted = false
        break
      case 'failed':
        if (this.#state === 'NOT_CONNECTED') this.#wanted = false
        if (this.#underWay === 'dial') this.#over(now)
        break
      case 'disconnected':
        if (this.#underWay === 'connection') this.#over(now)
        break
      case 'connected':
        if (this.#underWay !== 'dial' && this.#state !== 'LISTENING') break
        this.#underWay = 'connection'
        this.#selects = 0
        this.#linktestAt = undefined
        break
      case 'pause':
        this.#paused = true
        break
      case 'resume':
        this.#paused = false
        break
      case 'request':
        this.#asked += 1
        demand(!this.#open.has(input.message.systemBytes), 'system bytes are not open twice', input)
        this.#open.add(input.message.systemBytes)
    }
  }

  #over(now: number): void {
    this.#underWay = 'nothing'
    this.#attemptEndedAt = now
  }

  #output(input: HsmsInput, output: HsmsOutput, now: number): void {
    switch (output.kind) {
      case 'changed':
        demand(output.from === this.#state, 'a change begins where the last one led', output)
        demand(
          Object.values(CONNECTION_STATES[output.from]).includes(output.to),
          'states follow the table',
          output,
        )
        this.#state = output.to
        break
      case 'dial':
        demand(this.#wanted && this.#state === 'CONNECTING', 'it dials when it is wanted', this.#state)
        demand(this.#underWay === 'nothing', 'there is one attempt or connection at a time', this.#underWay)
        if (input.kind !== 'start' && this.#attemptEndedAt !== undefined) {
          const waited = now - this.#attemptEndedAt
          demand(waited >= this.protocol.settings.timers.t5 - ROUNDING, 'no dial comes before T5', waited)
        }
        this.#underWay = 'dial'
        break
      case 'close':
        if (this.#underWay !== 'nothing') this.#over(now)
        break
      case 'write':
        this.#written(input, output.bytes, now)
        break
      case 'received':
        demand(this.#state === 'SELECTED' && input.kind === 'bytes', 'bytes are taken while SELECTED', input)
        break
      case 'ended':
        demand(this.#open.delete(output.systemBytes), 'what ends was open', output)
        this.#ended += 1
        break
      case 'attempt_failed':
        demand(input.kind === 'failed' || input.kind === 'tick', 'an attempt fails by itself', input)
        break
      case 'listen':
      case 'unlisten':
        demand(this.protocol.settings.role === 'passive', 'the passive side listens', output)
    }
  }

  #written(input: HsmsInput, bytes: Uint8Array, now: number): void {
    demand(this.#underWay === 'connection', 'nothing is written without a connection', input)
    const [frame, ...more] = new FrameReader(1 << 24).read(bytes)
    if (frame?.body.length !== bytes.length - 14 || more.length > 0)
      throw new Error('broken: a write is one frame')
    const { sType, systemBytes } = frame.header
    demand(OF_OUR_OWN.has(sType) || input.kind === 'bytes', 'an answer follows bytes', sType)
    if (sType === STYPE.data || sType === STYPE.separateReq || sType === STYPE.linktestReq)
      demand(this.#state === 'SELECTED', 'it is written while SELECTED', sType)
    if (sType === STYPE.selectReq) {
      this.#selects += 1
      demand(this.protocol.settings.role === 'active', 'the active side selects')
      demand(this.#selects === 1, 'it selects once')
    }
    if (sType === STYPE.linktestReq && input.kind !== 'surplus') {
      demand(input.kind === 'tick', 'a linktest has its time', input)
      const apart = now - (this.#linktestAt ?? Number.NEGATIVE_INFINITY)
      demand(
        apart >= this.protocol.settings.timers.linktest - ROUNDING,
        'linktests are a period apart',
        apart,
      )
      this.#linktestAt = now
    }
    if (sType === STYPE.selectReq || sType === STYPE.linktestReq)
      demand(!this.#open.has(systemBytes), 'system bytes are not open twice', systemBytes)
  }

  #after(input: HsmsInput, now: number): void {
    const { state, deadline, retryAt } = this.protocol
    demand(state === this.#state, 'the state is where the last change led', state)
    const connected = state === 'NOT_SELECTED' || state === 'SELECTED'
    demand((this.#underWay === 'connection') === connected, 'the state knows of the connection', state)
    if (!this.#wanted)
      demand(state === 'NOT_CONNECTED' && deadline === undefined, 'stopped is stopped', state)
    if (state === 'CONNECTING') demand(deadline !== undefined, 'a dial has its end, or its time')
    else demand(retryAt === undefined, 'nobody dials beside a connection', retryAt)
    if (state === 'NOT_SELECTED' || this.#open.size > 0)
      demand((deadline !== undefined) === !this.#paused, 'what is waited for has a deadline', state)
    if (input.kind === 'tick')
      demand(deadline === undefined || deadline > now, 'a tick leaves none behind', deadline)
    if (state !== 'SELECTED') demand(this.#open.size === 0, 'requests are open while SELECTED', state)
    demand(this.#ended + this.#open.size === this.#asked, 'every request ends once')
  }
}
