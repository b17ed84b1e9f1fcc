import type { Connection, ConnectionOwner } from './connection.js'
import {
  controlFrame,
  DESELECT_STATUS,
  REJECT_REASON,
  rejectFrame,
  rejectReasonOf,
  SELECT_STATUS,
} from './control.js'
import type { ConnectionFault } from './fault.js'
import { type Frame, FrameError, FrameReader } from './frame/frame.js'
import { dataHeader, dataMessage, type Header, sTypeOf } from './frame/header.js'
import type { Received } from './io.js'
import { type DataMessage, isPrimary } from './message.js'
import type { HsmsSettings } from './settings.js'
import { Deadlines } from './timers/deadlines.js'
import { selectStatusText } from './words.js'

/** `message`: how long a whole message may take, where T8 bounds the time between two of its bytes. */
export type HsmsConnectionTimer = 't6' | 't7' | 't8' | 'message' | 'linktest'

/**
 * A whole message may take this many T8, and so many milliseconds more for each byte that has come. That is half of
 * what a line of 9,600 baud carries: 16 MiB pass it, and a byte now and then does not hold a connection.
 */
const MESSAGE_T8S = 6
const MS_PER_BYTE = 2

/** A control request of ours whose response T6 waits for. There is one at a time. */
interface ControlRequest {
  readonly type: 'select' | 'linktest'
  readonly systemBytes: number
}

/** One TCP connection from coming up to going down: frames, control messages, and the timers that wait for the peer. */
export class HsmsConnection implements Connection {
  /** Primaries are bounded by those that wait for a reply. */
  readonly isBusy = false
  readonly #frames: FrameReader
  readonly #timers = new Deadlines<HsmsConnectionTimer>()
  #request: ControlRequest | undefined
  /** When the first bytes came of the message that has arrived in part. */
  #messageBegan: number | undefined
  #ended = false

  constructor(
    readonly owner: ConnectionOwner,
    readonly settings: HsmsSettings,
  ) {
    this.#frames = new FrameReader(settings.maxMessageLength)
  }

  get earliest(): { readonly name: HsmsConnectionTimer; readonly at: number } | undefined {
    return this.#timers.earliest
  }

  /** The TCP connection was established. Only the active side selects (SEMI E37.1). */
  open(now: number): void {
    if (this.settings.role === 'active') this.#ask('select', now)
    else this.#set('t7', now)
  }

  expire(timer: HsmsConnectionTimer, now: number): void {
    const { t6, t7, t8 } = this.settings.timers
    if (timer !== 'linktest') this.owner.tap.counters.timeout(timer === 'message' ? 't8' : timer)
    switch (timer) {
      case 't6':
        return this.#unanswered(`got no response within ${t6 / 1000} s (T6)`)
      case 't7':
        return this.#drop('t7', `the peer did not select within ${t7 / 1000} s (T7)`)
      case 't8':
        return this.#drop('t8', `the peer stopped within a message for ${t8 / 1000} s (T8)`)
      case 'message':
        return this.#drop(
          't8',
          `the peer sent a message too slowly: less than ${1000 / MS_PER_BYTE} bytes a second`,
        )
      case 'linktest':
        this.#set('linktest', now)
        this.#test(now)
    }
  }

  /**
   * Sends Linktest.req after the same peer dialled again and was refused: a peer that lost its power could not close
   * this connection. After T6 it is known whether this connection is dead. Without a linktest period it sends none.
   */
  probe(now: number): void {
    if (this.#selected && this.settings.timers.linktest > 0) this.#test(now)
  }

  request(message: DataMessage, t3: number, now: number): void {
    this.owner.transactions.begin(message, now, now + t3)
    this.send(message)
  }

  send(message: DataMessage): void {
    this.owner.tap.write({ header: dataHeader(message), body: message.body })
  }

  /** Separate.req, where there is a session. */
  end(): void {
    if (!this.#selected) return
    const { controlSessionId: sessionId } = this.settings
    const systemBytes = this.owner.transactions.systemBytes()
    this.owner.tap.write(controlFrame('separateReq', { sessionId, systemBytes }))
  }

  bytes(bytes: Uint8Array, now: number, maxFrames = Number.POSITIVE_INFINITY): void {
    if (this.settings.linktestMode === 'idle') this.#received(now)
    let left = maxFrames
    try {
      for (const frame of this.#frames.read(bytes)) {
        this.#frame(frame, now)
        if (this.#ended) return // bytes after the frame that ended the connection are ignored
        this.#messageBegan = undefined
        left -= 1
        if (left === 0) break
      }
    } catch (error) {
      if (!(error instanceof FrameError)) throw error
      this.owner.tap.unreadable(error.bytes, error.fault.detail)
      this.#drop(error.fault.code, error.fault.detail)
      return
    }
    this.#boundPartialMessage(now)
    if (left > 0) return
    const { unread } = this.#frames
    if (unread.length > 0) this.owner.emit({ kind: 'unread', bytes: unread })
  }

  /** Sets the timers of a message that has arrived in part. */
  #boundPartialMessage(now: number): void {
    this.owner.arriving(this.#frames.partialBytes)
    if (!this.#frames.midFrame) {
      this.#timers.clear('t8', 'message')
      return
    }
    this.#set('t8', now)
    this.#messageBegan ??= now
    const { t8 } = this.settings.timers
    const allowed = MESSAGE_T8S * t8 + this.#frames.partialBytes * MS_PER_BYTE
    this.#timers.set('message', this.#messageBegan + allowed)
  }

  #frame(frame: Frame, now: number): void {
    const { header } = frame
    this.owner.tap.read(frame)
    const reason = rejectReasonOf(frame)
    if (reason !== undefined) {
      this.owner.tap.write(rejectFrame(header, reason))
      return
    }
    switch (sTypeOf(header.sType)) {
      case 'data':
        return this.#data(frame, now)
      case 'selectReq':
        return this.#selectReq(header, now)
      case 'selectRsp':
        return this.#selectRsp(header, now)
      case 'deselectReq':
        return this.#deselectReq(header, now)
      case 'deselectRsp': // we never ask for one
        return this.owner.tap.write(rejectFrame(header, REJECT_REASON.transactionNotOpen))
      case 'linktestReq':
        return this.owner.tap.write(controlFrame('linktestRsp', header))
      case 'linktestRsp':
        this.#takeResponse('linktest', header)
        break
      case 'rejectReq':
        return this.#rejectReq(header)
      case 'separateReq':
        if (this.#selected) this.#drop('separated', 'the peer ended the session (Separate.req)')
    }
  }

  /** The peer lives: no test is needed for a period, and one under way may take as long again. */
  #received(now: number): void {
    if (this.#timers.at('linktest') !== undefined) this.#set('linktest', now)
    if (this.#request?.type === 'linktest') this.#set('t6', now)
  }

  get #selected(): boolean {
    return this.owner.machine.state === 'SELECTED'
  }

  #data({ header, body }: Frame, now: number): void {
    if (!this.#selected) {
      this.owner.tap.write(rejectFrame(header, REJECT_REASON.notSelected))
      return
    }
    const message = dataMessage(header, body)
    const { settings } = this
    const { transactions } = this.owner
    if (message.sessionId !== settings.deviceId) this.#deliver('other_device', message)
    // A primary is recognised by its function; its system bytes may be those of one of ours.
    else if (isPrimary(message)) this.#deliver('primary', message)
    else if (!transactions.reply(message, now)) this.#deliver('stray', message)
  }

  #deliver(kind: Received['kind'], message: DataMessage): void {
    this.owner.emit({ kind: 'received', received: { kind, message } })
  }

  #selectReq(header: Header, now: number): void {
    const free = !this.#selected
    // SELECTED before the reply leaves: data that follows the request is taken.
    if (free) this.#becomeSelected('Select.req', now)
    this.owner.tap.write(
      controlFrame('selectRsp', header, free ? SELECT_STATUS.done : SELECT_STATUS.alreadyActive),
    )
  }

  #selectRsp(header: Header, now: number): void {
    if (!this.#takeResponse('select', header)) return
    const status = header.byte3
    // Where both sides ask at once, the peer may already be selected by our reply.
    const crossed = status === SELECT_STATUS.alreadyActive && this.#selected
    if (status !== SELECT_STATUS.done && !crossed) {
      const detail = `the peer refused Select.req with status ${status} (${selectStatusText(status)})`
      this.#drop('select_refused', detail)
      return
    }
    if (!this.#selected) this.#becomeSelected('Select.rsp', now)
  }

  #becomeSelected(cause: string, now: number): void {
    this.#timers.clear('t7')
    if (this.settings.timers.linktest > 0) this.#set('linktest', now)
    this.owner.machine.move('selected', cause)
  }

  #deselectReq(header: Header, now: number): void {
    const selected = this.#selected
    this.owner.tap.write(
      controlFrame('deselectRsp', header, selected ? DESELECT_STATUS.done : DESELECT_STATUS.notEstablished),
    )
    if (!selected) return
    this.#timers.clear('linktest')
    this.#set('t7', now)
    this.owner.transactions.loseAll() // their replies would have to be refused
    this.owner.machine.move('deselected', 'Deselect.req')
  }

  #rejectReq({ systemBytes, byte3: reason }: Header): void {
    if (this.#request?.systemBytes === systemBytes) this.#unanswered(`was rejected with reason ${reason}`)
    else this.owner.transactions.end(systemBytes, { kind: 'rejected', reason })
  }

  /** A control request that waits for its response is a test already. */
  #test(now: number): void {
    if (!this.#request) this.#ask('linktest', now)
  }

  #ask(type: ControlRequest['type'], now: number): void {
    const { settings } = this
    const { transactions } = this.owner
    const systemBytes = transactions.systemBytes()
    this.#request = { type, systemBytes }
    this.#set('t6', now)
    this.owner.tap.write(controlFrame(`${type}Req`, { sessionId: settings.controlSessionId, systemBytes }))
  }

  /** Takes the response to a control request of ours; refuses one to a request that is not open. */
  #takeResponse(type: ControlRequest['type'], header: Header): boolean {
    if (this.#request?.type !== type || this.#request.systemBytes !== header.systemBytes) {
      this.owner.tap.write(rejectFrame(header, REJECT_REASON.transactionNotOpen))
      return false
    }
    this.#request = undefined
    this.#timers.clear('t6')
    return true
  }

  #unanswered(how: string): void {
    if (this.#request?.type === 'linktest') this.#drop('linktest_timeout', `Linktest.req ${how}`)
    else this.#drop('t6', `Select.req ${how}`)
  }

  #drop(code: ConnectionFault, detail: string): void {
    this.#ended = true
    this.owner.drop({ code, detail })
  }

  #set(timer: Exclude<HsmsConnectionTimer, 'message'>, now: number): void {
    this.#timers.set(timer, now + this.settings.timers[timer])
  }
}
