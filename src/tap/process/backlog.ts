import { type Frame, FrameReader } from '../../hsms/frame/frame.js'
import { PTYPE_SECS2, STYPE } from '../../hsms/frame/header.js'
import { Fifo } from '../../kit/fifo.js'
import type { PassedFrames, TapEvent } from '../observation.js'
import { MAX_LENGTH } from '../passing.js'

type Kind<K extends TapEvent['kind']> = Extract<TapEvent, { kind: K }>

/** Messages that had no room, and how the link stood after them. */
interface Dropped {
  messages: number
  readonly since: number
  at: number
  listening?: Kind<'listening' | 'not_listening'>
  over?: Kind<'over'>
  paired?: Kind<'paired'>
  isSelected?: boolean
  /** Of a side each. */
  unreadable: readonly Kind<'unreadable'>[]
}

/** What was told, and how much of it is not recorded yet. */
interface Told {
  /** Observations. */
  left: number
  /** Data messages among them; of frames that are data messages as well as control messages, all of them. */
  readonly messages: number | 'left' | Uint8Array
  readonly bytes: number
  readonly since: number
  readonly at: number
}

/** How a tap stood when what was told ended. */
interface Standing {
  readonly listening?: TapEvent
  readonly paired?: Kind<'paired'>
  readonly unreadable: readonly Kind<'unreadable'>[]
}

/** Bytes that an event takes beside those of its frames. */
const EVENT_BYTES = 512
/** Messages and bytes that one tap has told and that are not recorded yet: what comes then waits here. */
const MAX_UNRECORDED = 5000
const MAX_UNRECORDED_BYTES = 4 * 1024 * 1024

export const bytesOf = (event: TapEvent): number =>
  EVENT_BYTES +
  (event.kind === 'frames' ? event.bytes.length : 'frame' in event ? event.frame.body.length : 0)

const isData = ({ header: { pType, sType } }: Frame): boolean => pType === PTYPE_SECS2 && sType === STYPE.data

const sinceOf = (event: TapEvent): number => (event.kind === 'gap' ? event.since : event.at)

/** Messages that an event stands for. */
function messagesOf(event: TapEvent): number {
  if (event.kind === 'replied') return isData(event.frame) ? 1 : 0
  return event.kind === 'frames' || event.kind === 'gap' ? event.messages : 0
}

/** Observations that whoever looks makes of an event, each of which is acknowledged. */
const observationsIn = (event: TapEvent): number => (event.kind === 'frames' ? event.count : 1)

/** What has to be remembered to know how many data messages are among those that are left. */
const dataOf = ({ count, messages, bytes }: PassedFrames): Told['messages'] =>
  messages === 0 ? 0 : messages === count ? 'left' : bytes

/** Data messages that are told and not recorded. */
function unrecordedOf({ messages, left }: Told): number {
  if (messages === 'left') return left
  if (typeof messages === 'number') return messages
  const frames = [...new FrameReader(MAX_LENGTH).read(messages)].slice(-left)
  return frames.filter(isData).length
}

function standingAfter(before: Standing, event: TapEvent): Standing {
  switch (event.kind) {
    case 'listening':
    case 'not_listening':
      return { ...before, listening: event }
    case 'paired':
      return { ...before, paired: event, unreadable: [] }
    case 'over':
      return { ...(before.listening && { listening: before.listening }), unreadable: [] }
    case 'unreadable':
      return { ...before, unreadable: [...before.unreadable, event] }
    case 'frames': {
      const { paired } = before
      const { isSelected } = event
      return paired && isSelected !== undefined ? { ...before, paired: { ...paired, isSelected } } : before
    }
    default:
      return before
  }
}

/** What one tap has to tell to the daemon that runs it, in its order. Where it has no room, it is counted. */
export class Backlog {
  readonly #waiting = new Fifo<TapEvent>()
  readonly #told = new Fifo<Told>()
  #unrecorded = { messages: 0, bytes: 0 }
  #standing: Standing = { unreadable: [] }
  #dropped: Dropped | undefined
  /** A daemon runs this tap, and is told. */
  #isRead = false
  bytes = 0

  /** More can be told now. */
  get isReady(): boolean {
    if (!this.#isRead || (this.#waiting.length === 0 && !this.#dropped)) return false
    const { messages, bytes } = this.#unrecorded
    return messages === 0 || (messages < MAX_UNRECORDED && bytes < MAX_UNRECORDED_BYTES)
  }

  add(event: TapEvent): void {
    this.#endGap()
    this.#wait(event)
  }

  #wait(event: TapEvent): void {
    this.bytes += bytesOf(event)
    this.#waiting.add(event)
  }

  /** An event has no room. */
  drop(event: TapEvent): void {
    const dropped = this.#dropped ?? { messages: 0, since: sinceOf(event), at: event.at, unreadable: [] }
    this.#dropped = dropped
    dropped.messages += messagesOf(event)
    dropped.at = event.at
    switch (event.kind) {
      case 'listening':
      case 'not_listening':
        dropped.listening = event
        return
      case 'over':
        dropped.over = event
        dropped.unreadable = []
        delete dropped.paired
        delete dropped.isSelected
        return
      case 'paired':
        dropped.paired = event
        return
      case 'unreadable':
        dropped.unreadable = [...dropped.unreadable, event]
        return
      case 'frames':
        if (event.isSelected !== undefined) dropped.isSelected = event.isSelected
    }
  }

  /** What was dropped is told as a gap, and then how the link stood after it. */
  #endGap(): void {
    const dropped = this.#dropped
    if (!dropped) return
    this.#dropped = undefined
    const { messages, since, at, listening, over, paired, isSelected, unreadable } = dropped
    if (messages > 0) this.#wait({ kind: 'gap', messages, since, at })
    for (const event of [listening, over]) if (event) this.#wait(event)
    if (paired) this.#wait(isSelected === undefined ? paired : { ...paired, isSelected })
    else if (isSelected !== undefined) this.#wait({ ...NO_FRAMES, isSelected, at })
    for (const event of unreadable) this.#wait(event)
  }

  next(): TapEvent | undefined {
    if (this.#waiting.length === 0) this.#endGap()
    const event = this.#waiting.take()
    if (!event) return undefined
    this.#standing = standingAfter(this.#standing, event)
    const [bytes, left] = [bytesOf(event), observationsIn(event)]
    if (left === 0) {
      this.bytes -= bytes
      return event
    }
    const messages = event.kind === 'frames' ? dataOf(event) : messagesOf(event)
    this.#told.add({ left, messages, bytes, since: sinceOf(event), at: event.at })
    this.#unrecorded.messages += left
    this.#unrecorded.bytes += bytes
    return event
  }

  /** A daemon runs the tap from now on: it is told how it stands, then what has happened since. */
  begin(): void {
    if (this.#isRead) return
    this.#isRead = true
    const { listening, paired, unreadable } = this.#standing
    const first = [listening, paired, ...unreadable].filter((event) => event !== undefined)
    this.bytes += first.length * EVENT_BYTES
    this.#waiting.addFirst(...first)
  }

  /** So many observations were recorded, the oldest first. */
  recorded(count: number): void {
    for (let left = count; left > 0; ) {
      const { first } = this.#told
      if (!first) return
      const taken = Math.min(left, first.left)
      left -= taken
      first.left -= taken
      this.#unrecorded.messages -= taken
      if (first.left > 0) continue
      this.#told.take()
      this.bytes -= first.bytes
      this.#unrecorded.bytes -= first.bytes
    }
  }

  /** The daemon looks no more, and acknowledges what it was told. */
  leave(): void {
    this.#isRead = false
  }

  /** The tap has ended: what the daemon is still told. What does not fit beside what it has not recorded yet is a gap. */
  *finish(): Generator<TapEvent, void> {
    if (!this.#isRead) return
    while (this.isReady) {
      const event = this.next()
      if (event) yield event
    }
    this.#endGap()
    const left = this.#waiting.drain()
    const messages = left.reduce((sum, event) => sum + messagesOf(event), 0)
    const [first, last] = [left[0], left.at(-1)]
    if (first && last && messages > 0) yield { kind: 'gap', messages, since: sinceOf(first), at: last.at }
  }

  /** The daemon has ended: whether what it was told was recorded is not known. Its own questions are nobody's any more. */
  end(): void {
    if (!this.#isRead && this.#told.length === 0) return
    this.#isRead = false
    const told = this.#told.drain()
    this.#unrecorded = { messages: 0, bytes: 0 }
    const waiting = this.#waiting.drain()
    this.bytes = 0
    const messages = told.reduce((sum, one) => sum + unrecordedOf(one), 0)
    const [first] = told
    if (first && messages > 0)
      this.#wait({ kind: 'gap', messages, since: first.since, at: told.at(-1)?.at ?? first.at })
    for (const event of waiting) {
      if (event.kind === 'not_sent' || event.kind === 'sent') continue
      this.#wait(event.kind === 'replied' ? { ...event, request: null } : event)
    }
  }
}

/** Tells nothing but how the session stands. */
const NO_FRAMES = {
  kind: 'frames',
  from: 'equipment',
  bytes: new Uint8Array(),
  count: 0,
  messages: 0,
} as const
