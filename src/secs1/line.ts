import { Deadlines } from '../hsms/timers/deadlines.js'
import { AROUND_LENGTH, type Block, CHARACTER, decodeBlock, encodeBlock, LENGTHS } from './block.js'
import type { Secs1Settings } from './settings.js'

/** What happens on a line, for the layer above. */
export interface LineEvents {
  /** These bytes leave: one character, or a block. `isReply`: the peer caused them. */
  write(bytes: Uint8Array, isReply: boolean): void
  /** A character of the peer, or the bytes of a block, whole or not. */
  read(bytes: Uint8Array): void
  /** The peer has acknowledged the block that `send` was given. */
  sent(): void
  /** It has not, RTY times in addition to the first, or did not leave us the line. `why` is for people. */
  failed(why: string): void
  /** A block that is whole and new. */
  received(block: Block): void
  /** A block came again that is acknowledged already. */
  duplicate(): void
  timeout(timer: LineTimer): void
  /** A block of ours is sent again. */
  retried(): void
  /** Bytes that mean nothing where they came. */
  stray(bytes: Uint8Array): void
}

export type LineTimer = 't1' | 't2'

/** `turn`: how long the line is left to a peer that probably wants it now. */
type Timer = LineTimer | 'turn'

type State =
  | 'idle'
  | 'asked' // ENQ is sent: EOT is awaited
  | 'sent' // a block is sent: ACK is awaited
  | 'granted' // EOT is sent: the length byte is awaited
  | 'reading' // the bytes of a block
  | 'refusing' // the block is bad: NAK follows once the peer is silent

const { ENQ, EOT, ACK, NAK } = CHARACTER

/** How often a peer may ask for the line without a whole block while a block of ours waits; RTY where that is more. */
const LEAST_VAIN_TURNS = 3

const isLength = (byte: number): boolean => byte >= LENGTHS.least && byte <= LENGTHS.most

/** One end of the block transfer protocol (SEMI E4): who has the line, one block at a time, and again where it was lost. */
export class Line {
  readonly #timers = new Deadlines<Timer>()
  #state: State = 'idle'
  /** The block that waits for the line, or for its ACK. */
  #outgoing: Uint8Array | undefined
  /** How often it was sent, or the line was asked for in vain. */
  #attempts = 0
  /** How often the peer asked for the line since then and sent no complete block. */
  #vainTurns = 0
  /** The peer answered our ENQ with its own, and we are master. */
  #hasCollided = false
  /** How long the line is left to the peer once it is idle, in milliseconds: it probably wants it. */
  #peerTurn = 0
  readonly #block = new Uint8Array(LENGTHS.most + AROUND_LENGTH)
  #filled = 0
  /** The last block that was acknowledged, to recognise it when it comes again. */
  #last: Uint8Array | undefined
  /** The last block that came whole was not the last of its message. */
  #isMidMessage = false
  /** The last block that came was refused: it comes again. */
  #isRefused = false
  /** When the peer asks for the line, as the blocks of its messages have shown; undefined until then. */
  #asksFor: 'each block' | 'each message' | undefined
  /** The block that comes was not asked for. */
  #isUnasked = false

  constructor(
    readonly settings: Pick<Secs1Settings, 'isMaster' | 'timers' | 'retries' | 'byteTime'>,
    readonly events: LineEvents,
  ) {}

  get earliest(): { readonly name: Timer; readonly at: number } | undefined {
    return this.#timers.earliest
  }

  /** No block waits for the line: `send` may be called. */
  get isFree(): boolean {
    return this.#outgoing === undefined
  }

  /** `sent` or `failed` follows. */
  send(block: Block, now: number): void {
    this.#outgoing = encodeBlock(block)
    this.#attempts = 0
    this.#vainTurns = 0
    this.#hasCollided = false
    if (this.#state === 'idle' && this.#timers.at('turn') === undefined) this.#ask(now)
  }

  bytes(bytes: Uint8Array, now: number): void {
    if (this.#continues(bytes)) {
      this.#state = 'granted'
      this.#isUnasked = true
      this.#peerTurn = 0
      this.#timers.clear('turn')
    }
    let strays = 0
    for (let at = 0; at < bytes.length; ) {
      if (this.#state === 'reading') {
        at += this.#take(bytes.subarray(at), now)
        continue
      }
      const isStray = this.#isStray(bytes[at] as number)
      if (isStray) strays += 1
      else {
        this.#reportStrays(bytes, at, strays)
        strays = 0
        this.#byte(bytes[at] as number, now)
      }
      at += 1
    }
    this.#reportStrays(bytes, bytes.length, strays)
  }

  /** Reports the strays that end before this place. */
  #reportStrays(bytes: Uint8Array, end: number, count: number): void {
    if (count > 0) this.events.stray(bytes.slice(end - count, end))
  }

  /** Whether this byte means nothing now. */
  #isStray(byte: number): boolean {
    if (this.#state === 'idle') return byte !== ENQ
    return this.#state === 'asked' && byte !== EOT && byte !== ENQ
  }

  expire(timer: Timer, now: number): void {
    this.#timers.clear(timer)
    if (timer !== 'turn' && this.#state !== 'refusing') this.events.timeout(timer)
    switch (this.#state) {
      case 'asked':
        return this.#again(
          this.#hasCollided
            ? 'the peer responds to ENQ with ENQ: both ends are master'
            : 'the peer does not respond to ENQ',
          now,
        )
      case 'sent':
        return this.#again('the peer does not acknowledge a block', now)
      case 'reading':
        this.events.read(this.#block.slice(0, this.#filled))
        return this.#refuse(now)
      case 'granted':
      case 'refusing':
        return this.#refuse(now)
      case 'idle':
        this.#peerTurn = 0
        if (this.#outgoing) this.#ask(now)
    }
  }

  /**
   * Some libraries ask for the line once per message, where SEMI E4 wants ENQ for each block: a whole block that
   * comes after one that was not the last of its message is taken without it. It may cross our ENQ.
   */
  #continues(bytes: Uint8Array): boolean {
    const [length = 0] = bytes
    if (!this.#hasMore || !isLength(length) || (this.#state !== 'idle' && this.#state !== 'asked'))
      return false
    return this.#asksFor === 'each message' || bytes.length > LENGTHS.least
  }

  /** The peer has more of its message to send. */
  get #hasMore(): boolean {
    return this.#isMidMessage || this.#isRefused
  }

  #byte(byte: number, now: number): void {
    switch (this.#state) {
      case 'idle':
        return this.#grant(now)
      case 'asked':
        if (byte === EOT) return this.#transmit(now)
        // Both ask: the slave waits until it has the master's block.
        if (!this.settings.isMaster) return this.#grant(now)
        this.events.read(Uint8Array.of(ENQ))
        this.#hasCollided = true
        this.#peerTurn = this.settings.timers.t1
        return
      case 'sent':
        this.events.read(Uint8Array.of(byte))
        if (byte === ACK) this.#acknowledged(now)
        else
          this.#again(
            byte === NAK ? 'the peer refuses a block (NAK)' : 'the peer does not acknowledge a block',
            now,
          )
        return
      case 'granted':
        return this.#length(byte, now)
      case 'refusing':
        this.#timers.set('t1', now + this.settings.timers.t1)
        return
      case 'reading': // taken in whole pieces
    }
  }

  #ask(now: number): void {
    this.#state = 'asked'
    this.events.write(Uint8Array.of(ENQ), false)
    this.#await(1, now)
  }

  #grant(now: number): void {
    this.events.read(Uint8Array.of(ENQ))
    this.#state = 'granted'
    this.#isUnasked = false
    this.#peerTurn = 0
    this.#timers.clear('turn')
    this.events.write(Uint8Array.of(EOT), true)
    this.#await(1, now)
  }

  #transmit(now: number): void {
    const block = this.#outgoing as Uint8Array
    this.events.read(Uint8Array.of(EOT))
    this.#state = 'sent'
    this.#hasCollided = false
    this.events.write(block, false)
    this.#await(block.length, now)
  }

  #acknowledged(now: number): void {
    this.#outgoing = undefined
    this.#idle(now)
    this.events.sent()
  }

  #again(why: string, now: number): void {
    this.#attempts += 1
    if (this.#attempts <= this.settings.retries) {
      this.events.retried()
      this.#timers.clear('t1', 't2')
      this.#ask(now)
      return
    }
    this.#fail(`${why}, also after ${this.settings.retries} retries (RTY)`, now)
  }

  #fail(why: string, now: number): void {
    this.#outgoing = undefined
    this.#idle(now)
    this.events.failed(why)
  }

  #length(length: number, now: number): void {
    this.#timers.clear('t2')
    this.#block[0] = length
    this.#filled = 1
    this.#state = isLength(length) ? 'reading' : 'refusing'
    if (this.#state === 'refusing') this.events.read(Uint8Array.of(length))
    this.#timers.set('t1', now + this.settings.timers.t1)
  }

  /** How many of the bytes belong to the block. */
  #take(bytes: Uint8Array, now: number): number {
    const length = (this.#block[0] as number) + AROUND_LENGTH
    const taken = bytes.subarray(0, length - this.#filled)
    this.#block.set(taken, this.#filled)
    this.#filled += taken.length
    this.#timers.set('t1', now + this.settings.timers.t1)
    if (this.#filled === length) this.#whole(this.#block.slice(0, length), now)
    return taken.length
  }

  #whole(bytes: Uint8Array, now: number): void {
    this.events.read(bytes)
    const block = decodeBlock(bytes)
    if (!block) {
      this.#state = 'refusing'
      return
    }
    this.#timers.clear('t1')
    this.events.write(Uint8Array.of(ACK), true)
    const isAgain = this.#last !== undefined && Buffer.compare(this.#last, bytes) === 0
    this.#last = bytes
    if (this.#isUnasked) this.#asksFor = 'each message'
    else if (this.#isMidMessage && !this.#isRefused && !isAgain && block.header.number > 1)
      this.#asksFor = 'each block'
    this.#isMidMessage = !block.header.isLast
    this.#isRefused = false
    this.#attempts = 0
    this.#vainTurns = 0
    this.#leaveToPeer()
    this.#idle(now)
    if (isAgain) this.events.duplicate()
    else this.events.received(block)
  }

  #refuse(now: number): void {
    this.events.write(Uint8Array.of(NAK), true)
    if (this.#state !== 'granted') this.#isRefused = true
    this.#leaveToPeer()
    // A peer that asks for the line and sends no block could keep ours from it.
    if (this.#outgoing) this.#vainTurns += 1
    const most = Math.max(this.settings.retries, LEAST_VAIN_TURNS)
    if (this.#vainTurns <= most) return this.#idle(now)
    this.#fail(`the peer asks for the line and sends no block, ${this.#vainTurns} times`, now)
  }

  /** A peer that asks once for a message must not be interrupted in it. */
  #leaveToPeer(): void {
    if (!this.#hasMore || this.#asksFor === 'each block') return
    const { t1, t2 } = this.settings.timers
    this.#peerTurn = this.#asksFor === 'each message' ? t2 : t1
  }

  /** Nobody has the line. The peer has it first where it probably wants it; then a block that waits asks for it. */
  #idle(now: number): void {
    this.#timers.clear('t1', 't2')
    this.#state = 'idle'
    if (this.#peerTurn > 0) this.#timers.set('turn', now + this.#peerTurn)
    else if (this.#outgoing) this.#ask(now)
  }

  /** T2 begins when the last of the bytes has left. */
  #await(bytes: number, now: number): void {
    this.#timers.set('t2', now + this.settings.timers.t2 + bytes * this.settings.byteTime)
  }
}
