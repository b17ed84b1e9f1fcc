import { HEADER_LENGTH, type Header, PTYPE_SECS2, readHeader, STYPE } from '../hsms/frame/header.js'
import { isPrimary } from '../hsms/message.js'
import type { Side } from './side.js'

/** Bytes of ours that are kept away from the host's: half of the range. */
const DISTANCE = 0x8000_0000
/** Mappings that are remembered, and primaries of the host without a reply; of more, the oldest are forgotten. */
const MAX_KNOWN = 4096

/** What becomes of a frame: its system bytes on the other side, or `swallowed` where it is a reply to one of ours. */
export type Passage = number | 'swallowed'

const isData = ({ pType, sType }: Header): boolean => pType === PTYPE_SECS2 && sType === STYPE.data

/**
 * Which system bytes belong to whom on a tapped link (SEMI E37: a reply has those of its primary). They stay as they
 * are, unless the host chooses some that a transaction of ours has or had: then they are others on the equipment's side.
 */
export class SystemBytes {
  /** Of our transactions that are open, and of those that ended without a reply, which may still come. */
  readonly #ours = new Set<number>()
  readonly #toEquipment = new Map<number, number>()
  readonly #toHost = new Map<number, number>()
  /** Of primaries of the host that passed as they are, and had no reply yet. */
  readonly #open = new Set<number>()
  /** Those of the host's last primary. */
  #last = 0

  /** Nothing has to be looked at: whatever passes stays as it is. */
  get isPlain(): boolean {
    return this.#ours.size === 0 && this.#toHost.size === 0
  }

  /** System bytes for a primary of ours: those that are wanted, unless they are in use. */
  reserve(wanted = (this.#last + DISTANCE) >>> 0): number {
    let bytes = this.#isTaken(wanted) ? (this.#last + DISTANCE) >>> 0 : wanted
    while (this.#isTaken(bytes)) bytes = (bytes + 1) >>> 0
    this.#ours.add(bytes)
    return bytes
  }

  /** The reply to a primary of ours has come, or it was not sent: nothing else can come. */
  release(bytes: number): void {
    this.#ours.delete(bytes)
  }

  #isTaken(bytes: number): boolean {
    return [this.#ours, this.#open, this.#toHost, this.#toEquipment].some((known) => known.has(bytes))
  }

  /** A data message has passed as it is, before it could be looked at; its header is at `at`. */
  passed(from: Side, bytes: Uint8Array, at: number): void {
    const header = readHeader(bytes, at)
    if (!isData(header)) return
    const isHosts = isPrimary({ function: header.byte3 }) === (from === 'host')
    if (!isHosts) return
    if (from === 'host') this.#opened(header.systemBytes)
    else this.#open.delete(header.systemBytes)
  }

  #opened(systemBytes: number): void {
    this.#last = systemBytes
    this.#open.add(systemBytes)
    forgetOldest(this.#open)
  }

  /** A frame from the host: its system bytes on the equipment's side. */
  fromHost(header: Header): number {
    const { systemBytes } = header
    if (!isData(header) || !isPrimary({ function: header.byte3 })) return systemBytes
    this.#last = systemBytes
    const known = this.#toEquipment.get(systemBytes)
    if (known !== undefined) return known
    if (!this.#ours.has(systemBytes) && !this.#toHost.has(systemBytes)) {
      this.#opened(systemBytes)
      return systemBytes
    }
    const mapped = this.reserve()
    this.release(mapped)
    this.#toEquipment.set(systemBytes, mapped)
    this.#toHost.set(mapped, systemBytes)
    forgetOldest(this.#toEquipment)
    forgetOldest(this.#toHost)
    return mapped
  }

  /** A frame from the equipment: its system bytes on the host's side. Replies and rejects belong to their primaries. */
  fromEquipment(header: Header): Passage {
    const { systemBytes, byte3, sType } = header
    const isReply = isData(header) ? !isPrimary({ function: byte3 }) : sType === STYPE.rejectReq
    if (!isReply) return systemBytes
    this.#open.delete(systemBytes)
    return this.#ours.has(systemBytes) ? 'swallowed' : this.#restored(systemBytes)
  }

  /** The header in the body of a stream 9 message of the equipment, as the host knows it. */
  inStream9({ systemBytes }: Header): Passage {
    return this.#ours.has(systemBytes) ? 'swallowed' : this.#restored(systemBytes)
  }

  #restored(bytes: number): number {
    return this.#toHost.get(bytes) ?? bytes
  }

  /** The link has ended, and with it every transaction. */
  clear(): void {
    this.#ours.clear()
    this.#open.clear()
    this.#toEquipment.clear()
    this.#toHost.clear()
  }
}

/** Keys are in the order in which they came. */
function forgetOldest(known: Set<number> | Map<number, number>): void {
  if (known.size <= MAX_KNOWN) return
  for (const oldest of known.keys()) return void known.delete(oldest)
}

const STREAM_9 = 9
/** A binary item of ten bytes: its two bytes of format and length, then the header. */
const ITEM_HEAD = [0x21, HEADER_LENGTH] as const

/** Bytes of a body that have to be there to read the header in it. */
export const STREAM9_BYTES = ITEM_HEAD.length + HEADER_LENGTH

/** Whether the body of a frame may have the header of a message of the other side in it: S9F1 to S9F11, without S9F9. */
export const mayHaveHeader = (header: Header, bodyLength: number): boolean =>
  isData(header) &&
  (header.byte2 & 0x7f) === STREAM_9 &&
  [1, 3, 5, 7, 11].includes(header.byte3) &&
  bodyLength === STREAM9_BYTES

/** Whether a body begins as one with a header does. */
export const hasHeader = (bytes: Uint8Array, at: number): boolean =>
  ITEM_HEAD.every((byte, offset) => bytes[at + offset] === byte)
