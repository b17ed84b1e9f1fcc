import type { Frame } from '../hsms/frame/frame.js'
import type { Header } from '../hsms/frame/header.js'
import type { Side } from './side.js'
import type { Passed } from './tapped-line.js'

/** The longest body that is copied, in bytes: that of the longest message that the gateway takes itself. */
const MAX_BODY_BYTES = 16 * 1024 * 1024

/** The frame of a side whose body is coming; undefined where it is not copied. */
interface Open {
  readonly header: Header
  readonly mapped: number | undefined
  readonly parts: Uint8Array[]
}

/** A frame that has passed. `mapped`: its system bytes on the equipment's side, where they are others. */
export interface Copy {
  readonly frame: Frame
  readonly mapped: number | undefined
}

/** Copies of the frames that pass, each once it is whole. A frame that is too long has none. */
export class FrameCopies {
  readonly #open = new Map<Side, Open | undefined>()

  begin({ from, header, bodyLength, mapped }: Passed): void {
    this.#open.set(from, bodyLength > MAX_BODY_BYTES ? undefined : { header, mapped, parts: [] })
  }

  add(from: Side, bytes: Uint8Array): void {
    this.#open.get(from)?.parts.push(Uint8Array.from(bytes))
  }

  /** The frame that has ended; undefined where it was too long. */
  end(from: Side): Copy | undefined {
    const open = this.#open.get(from)
    this.#open.delete(from)
    return open && { frame: { header: open.header, body: joined(open.parts) }, mapped: open.mapped }
  }

  clear(): void {
    this.#open.clear()
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [only, ...others] = parts
  if (others.length === 0) return only ?? new Uint8Array()
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
