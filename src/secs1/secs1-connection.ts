import type { Connection, ConnectionOwner } from '../hsms/connection.js'
import type { ConnectionFault } from '../hsms/fault.js'
import { dataHeader } from '../hsms/frame/header.js'
import type { Received } from '../hsms/io.js'
import { type DataMessage, isPrimary, type PrimaryName } from '../hsms/message.js'
import type { Deadline } from '../hsms/timers/deadlines.js'
import { Assembly } from './assembly.js'
import { type Block, blockCount, blockOf, CHARACTER } from './block.js'
import { Line, type LineEvents } from './line.js'
import { otherSpeech } from './other-speech.js'
import type { Secs1Settings } from './settings.js'

/** A message that leaves, one block after the other. */
interface Outgoing {
  readonly message: DataMessage
  /** A primary with W-bit: T3 in milliseconds, which begins with its last block. */
  readonly t3: number | undefined
  /** Blocks that the peer has acknowledged. */
  acknowledged: number
}

type MessageHead = Omit<DataMessage, 'body'>

/** Bytes at the beginning of a connection that may show what the peer speaks. */
const FIRST_BYTES = 16

/** So many of the longest messages may wait for the line before the connection is given up. */
const MAX_QUEUED_MESSAGES = 4

/** One connection that carries SECS-I (SEMI E4): messages in blocks, one block at a time on the line. */
export class Secs1Connection implements Connection {
  readonly #line: Line
  readonly #assembly: Assembly
  /** The first is the one that leaves now. */
  readonly #queue: Outgoing[] = []
  #queuedBytes = 0
  /** The time of the input that is handled. */
  #now = 0
  #isOver = false
  /** Bytes without a meaning at the beginning; undefined once there are enough, or the peer has shown that it speaks SECS-I. */
  #first: number[] | undefined

  constructor(
    readonly owner: ConnectionOwner,
    readonly settings: Secs1Settings,
  ) {
    this.#assembly = new Assembly(settings)
    // A serial line has no other protocols, and noise looks like anything.
    this.#first = settings.byteTime === 0 ? [] : undefined
    this.#line = new Line(settings, this.#events())
  }

  get earliest(): Deadline<string> | undefined {
    const line = this.#line.earliest
    const partial = this.#assembly.earliest
    return partial && !(line && line.at <= partial.at) ? partial : line
  }

  get isBusy(): boolean {
    const { maxOpen, maxMessageLength } = this.settings
    return this.#queue.length >= maxOpen || this.#queuedBytes >= maxMessageLength
  }

  /** SECS-I has no session: the line may be used at once. */
  open(): void {
    this.owner.machine.move('selected', 'the line is open')
  }

  /** SECS-I has no test of the line. */
  probe(): void {}

  end(): void {}

  bytes(bytes: Uint8Array, now: number): void {
    this.#now = now
    this.#line.bytes(bytes, now)
    if (!this.#isOver) this.owner.arriving(this.#assembly.bytes)
  }

  expire(timer: string, now: number): void {
    this.#now = now
    if (timer === 't4') this.#interblockTimeout()
    else this.#line.expire(timer as 't1' | 't2' | 'turn', now)
  }

  request(message: DataMessage, t3: number, now: number): void {
    // T3 begins when the last block has left.
    this.owner.transactions.begin(message, now, Number.POSITIVE_INFINITY)
    this.#enqueue({ message, t3, acknowledged: 0 }, now)
  }

  send(message: DataMessage, now: number): void {
    this.#enqueue({ message, t3: undefined, acknowledged: 0 }, now)
  }

  #enqueue(outgoing: Outgoing, now: number): void {
    this.#now = now
    this.#queuedBytes += outgoing.message.body.length
    if (this.#queuedBytes > MAX_QUEUED_MESSAGES * this.settings.maxMessageLength)
      return this.#drop('connection_lost', 'the peer does not take what it is sent')
    // A reply comes before the primaries that have not begun: the peer waits for it.
    const primary = isPrimary(outgoing.message)
      ? -1
      : this.#queue.findIndex((other, at) => at > 0 && isPrimary(other.message))
    this.#queue.splice(primary < 0 ? this.#queue.length : primary, 0, outgoing)
    this.#sendNext()
  }

  /** Gives the line the next block, where it has none. */
  #sendNext(): void {
    if (this.#isOver || !this.#line.isFree) return
    const [next] = this.#queue
    if (!next) return
    const { message, t3, acknowledged } = next
    // Nobody waits for it any more.
    if (acknowledged === 0 && t3 !== undefined && !this.owner.transactions.isOpen(message)) {
      this.#leave()
      return this.#sendNext()
    }
    this.#line.send(blockOf(message, acknowledged + 1, this.settings.side === 'equipment'), this.#now)
  }

  /** The first of the queue has left. */
  #leave(): void {
    const gone = this.#queue.shift()
    this.#queuedBytes -= gone?.message.body.length ?? 0
  }

  #sent(): void {
    const [current] = this.#queue
    if (!current) return
    const { message, t3 } = current
    current.acknowledged += 1
    if (current.acknowledged === blockCount(message.body.length)) {
      this.#leave()
      this.owner.tap.message('out', { header: dataHeader(message), body: message.body })
      if (t3 !== undefined) this.owner.transactions.wait(message, this.#now + t3)
    }
    this.#sendNext()
  }

  #received(block: Block): void {
    const placed = this.#assembly.place(block, this.#now)
    switch (placed.kind) {
      case 'unexpected':
        if (placed.dropped) this.#replyDropped(placed.dropped)
        return this.owner.tap.counters.line('unexpected')
      case 'first': {
        // The reply has begun: T4 bounds what is left of it.
        const primary = this.#repliedBy(placed.message)
        if (primary) this.owner.transactions.wait(primary, Number.POSITIVE_INFINITY)
        return
      }
      case 'whole':
        return this.#deliver(placed.message)
      case 'more':
    }
  }

  #deliver(message: DataMessage): void {
    const { transactions, tap } = this.owner
    tap.message('in', { header: dataHeader(message), body: message.body })
    if (this.#isForOtherDevice(message)) this.#emit('other_device', message)
    else if (isPrimary(message)) this.#emit('primary', message)
    else if (!transactions.reply(message, this.#now)) this.#emit('stray', message)
  }

  /** It has another device ID. The R-bit does not count: much equipment sets it wrong, and a line has two ends. */
  #isForOtherDevice({ sessionId }: MessageHead): boolean {
    return sessionId !== this.settings.deviceId
  }

  /** The primary that this message replies to; undefined for a primary, and for a message of another device. */
  #repliedBy(message: MessageHead): PrimaryName | undefined {
    if (isPrimary(message) || this.#isForOtherDevice(message)) return undefined
    const { stream, function: fn, systemBytes } = message
    return { stream, function: fn - 1, systemBytes }
  }

  /** What has come of a reply is dropped, so the reply cannot arrive any more. */
  #replyDropped(message: MessageHead): void {
    const primary = this.#repliedBy(message)
    if (primary) this.owner.transactions.endPrimary(primary, { kind: 'timed_out' })
  }

  #emit(kind: Received['kind'], message: DataMessage): void {
    this.owner.emit({ kind: 'received', received: { kind, message } })
  }

  #interblockTimeout(): void {
    this.owner.tap.counters.timeout('t4')
    const message = this.#assembly.expire()
    this.owner.arriving(this.#assembly.bytes)
    if (message) this.#replyDropped(message)
  }

  #drop(code: ConnectionFault, detail: string): void {
    if (this.#isOver) return
    this.#isOver = true
    this.owner.drop({ code, detail })
  }

  #stray(bytes: Uint8Array): void {
    const { tap } = this.owner
    for (const _ of bytes) tap.counters.line('strays')
    tap.line('in', bytes)
    if (this.#first === undefined) return
    this.#first.push(...bytes.subarray(0, FIRST_BYTES))
    const speech = otherSpeech(Uint8Array.from(this.#first))
    if (speech) this.#drop('not_secs1', speech)
    else if (this.#first.length >= FIRST_BYTES) this.#first = undefined
  }

  #events(): LineEvents {
    const { tap } = this.owner
    return {
      write: (bytes, isReply) => {
        if (this.#isOver) return
        if (bytes.length > 1) tap.counters.line('blocksOut')
        else if (bytes[0] === CHARACTER.NAK) tap.counters.line('naksOut')
        tap.line('out', bytes, isReply)
      },
      read: (bytes) => {
        this.#first = undefined
        if (bytes.length > 1) tap.counters.line('blocksIn')
        else if (bytes[0] === CHARACTER.NAK) tap.counters.line('naksIn')
        tap.line('in', bytes)
      },
      sent: () => this.#sent(),
      failed: (why) => this.#drop('retry_limit', why),
      received: (block) => this.#received(block),
      duplicate: () => tap.counters.line('duplicates'),
      timeout: (timer) => tap.counters.timeout(timer),
      retried: () => tap.counters.line('retries'),
      stray: (bytes) => this.#stray(bytes),
    }
  }
}
