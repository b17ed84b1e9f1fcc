import type { WireRecord } from '../capture/wire.js'
import type { Counters } from '../counters/counters.js'
import type { HsmsOutput } from '../io.js'
import { isPrimary } from '../message.js'
import { encodeFrame, type Frame } from './frame.js'
import { STYPE } from './header.js'

/** Every frame of an entity passes here: it is counted, and reported while `watched`. */
export class FrameTap {
  watched = false

  constructor(
    readonly counters: Counters,
    readonly emit: (output: HsmsOutput) => void,
  ) {}

  write(frame: Frame): void {
    const { sType, byte3 } = frame.header
    const isAnswer = sType !== STYPE.data || !isPrimary({ function: byte3 })
    this.emit({ kind: 'write', bytes: encodeFrame(frame), isAnswer })
    this.counters.frame('out', frame.header, frame.body.length)
    if (this.watched) this.#report({ kind: 'frame', direction: 'out', frame })
  }

  /** A frame came. */
  read(frame: Frame): void {
    this.counters.frame('in', frame.header, frame.body.length)
    if (this.watched) this.#report({ kind: 'frame', direction: 'in', frame })
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
