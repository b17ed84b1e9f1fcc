import { encodeFrame, LENGTH_BYTES } from '../../hsms/frame/frame.js'
import { dataMessage, HEADER_LENGTH, STYPE, sTypeOf } from '../../hsms/frame/header.js'
import { codeText, STYPE_NAMES } from '../../hsms/words.js'
import { decoded } from '../../secs2/decode.js'
import { printSml } from '../../secs2/sml/print.js'
import type { PassedBytes } from './raw-link.js'

/** What a ladder diagram draws of a frame, or of bytes that are none. */
export interface FrameMessage {
  readonly id: string
  readonly direction: 'sent' | 'received'
  readonly stream: number
  readonly function: number
  readonly name: string
  /** What stands at the arrow in place of stream and function. */
  readonly label: string
  readonly w_bit: boolean
  readonly at: string
  readonly data: null
  readonly collection_event: null
  readonly sml: string
}

/** Bytes that are shown of one message. */
const MAX_BYTES = 256

/** The frames of connections as messages, whose ids begin with `firstId`. */
export const framesAsMessages = (passed: readonly PassedBytes[], firstId: number): readonly FrameMessage[] =>
  passed.map((bytes, at) => frameMessage(bytes, String(firstId + at)))

function frameMessage({ frame, bytes, leftOut, direction, at }: PassedBytes, id: string): FrameMessage {
  const base = { id, direction, at: new Date(at).toISOString(), data: null, collection_event: null }
  if (leftOut !== undefined) {
    const label = `${leftOut} messages that are not kept`
    return { ...base, stream: 0, function: 0, name: '', label, w_bit: false, sml: '' }
  }
  if (!frame) {
    const all = bytes ?? new Uint8Array()
    const name = `${all.length} bytes`
    return { ...base, stream: 0, function: 0, name: '', label: name, w_bit: false, sml: hex(all) }
  }
  const { header, body } = frame
  const raw = hex(encodeFrame(frame))
  if (header.sType === STYPE.data && header.pType === 0) {
    const { stream, function: fn, wait } = dataMessage(header, body)
    const sml = `${printSml({ stream, function: fn, wait, item: decoded(body).item })}\n/* ${raw} */`
    const label = `S${stream}F${fn}${wait ? ' W' : ''}`
    const name = `device ID ${header.sessionId}`
    return { ...base, stream, function: fn, name, label, w_bit: wait, sml }
  }
  const type = sTypeOf(header.sType)
  const kind = type === undefined ? `SType ${header.sType}` : STYPE_NAMES[type]
  const label = header.pType === 0 ? kind : `${kind}, PType ${header.pType}`
  const name = (type && codeText(type, header.byte3)) ?? ''
  return { ...base, stream: 0, function: type === 'rejectReq' ? 0 : 1, name, label, w_bit: false, sml: raw }
}

/** Length, header and body in hex. */
function hex(bytes: Uint8Array): string {
  const part = (from: number, to: number): string =>
    Buffer.from(bytes.subarray(from, Math.min(to, MAX_BYTES))).toString('hex')
  const head = LENGTH_BYTES + HEADER_LENGTH
  const parts = [part(0, LENGTH_BYTES), part(LENGTH_BYTES, head), part(head, MAX_BYTES)].filter(Boolean)
  return parts.join(' ') + (bytes.length > MAX_BYTES ? ' ...' : '')
}
