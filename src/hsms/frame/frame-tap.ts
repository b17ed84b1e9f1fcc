import type { Direction, WireRecord } from '../capture/wire.js'
import type { Counters } from '../counters/counters.js'
import type { HsmsOutput } from '../io.js'
import { isPrimary } from '../message.js'
import { encodeFrame, encodeHead, type Frame } from './frame.js'
import { STYPE } from './header.js'

/** A longer body, in bytes, is written as it is: to copy 16 MiB takes 10 ms. */
const LONG = 1024 * 1024

/** Every frame of an entity, or block of SECS-I, passes here: it is counted, and reported while `watched`. */
export class FrameTap {
  watched = false

  constructor(
    readonly counters: Counters,
    readonly emit: (output: HsmsOutput) => void,
  ) {}

  write(frame: Frame): void {
    const { sType, byte3 } = frame.header
    const isReply = sType !== STYPE.data || !isPrimary({ function: byte3 })
    const { body } = frame
    if (body.length <= LONG) this.emit({ kind: 'write', bytes: encodeFrame(frame), isReply })
    else this.emit({ kind: 'write', bytes: encodeHead(frame), body, isReply })
    this.message('out', frame)
  }

  /** A frame came. */
  read(frame: Frame): void {
    this.message('in', frame)
  }

  /** SECS-I: a character, or a block. `isReply`: the peer caused what leaves. */
  line(direction: Direction, bytes: Uint8Array, isReply = false): void {
    if (direction === 'out') this.emit({ kind: 'write', bytes, isReply })
    if (this.watched) this.#report({ kind: 'line', direction, bytes })
  }

  /** A whole message has passed. */
  message(direction: Direction, frame: Frame): void {
    this.counters.frame(direction, frame.header, frame.body.length)
    if (this.watched) this.#report({ kind: 'frame', direction, frame })
  }

  unreadable(bytes: Uint8Array, detail: string): void {
    if (this.watched) this.#report({ kind: 'unreadable', bytes, detail })
  }

  closed(detail: string): void {
    if (this.watched) this.#report({ kind: 'closed', detail })
  }

  #report(record: WireRecord): void {
    this.emit({ kind: 'passed', record })
  }
}
