import type { DataMessage } from '../../src/hsms/message.js'
import { otherSide, type Side } from '../../src/tap/side.js'
import { TappedLine } from '../../src/tap/tapped-line.js'

const nothing = (): void => {}

/** Chunks that taps have passed in tests, and whether there are taps now. */
const taps = { areThere: false, chunks: 0 }

/** Has each made-up connection of the work go through a tap. Gives the number of chunks that went through one. */
export function throughTaps(work: () => void): number {
  const before = taps.chunks
  taps.areThere = true
  try {
    work()
  } finally {
    taps.areThere = false
  }
  return taps.chunks - before
}

/** What stands between the two ends of a made-up connection: nothing, or a tap. */
export class LineBetween {
  readonly #line: TappedLine | undefined

  /** `arrive`: bytes have come to a side. `replied`: the equipment has replied to the gateway at the tap. */
  constructor(
    private readonly arrive: (at: Side, bytes: Uint8Array) => void,
    replied: () => void = nothing,
  ) {
    const told = {
      whole: nothing,
      begun: nothing,
      body: nothing,
      ended: nothing,
      control: nothing,
      data: nothing,
    }
    if (taps.areThere)
      this.#line = new TappedLine({ ...told, unreadable: nothing, sent: nothing, write: arrive, replied })
  }

  pass(from: Side, bytes: Uint8Array): void {
    if (!this.#line) return this.arrive(otherSide(from), bytes)
    taps.chunks++
    this.#line.take(from, bytes)
  }

  /** The gateway at the tap asks the equipment; nothing happens where there is no tap. */
  ask(message: Omit<DataMessage, 'systemBytes'>): void {
    this.#line?.send(message)
  }
}
