import {
  WIRE_HEX_BYTES,
  WIRE_SML_CHARACTERS,
  type WireBlock,
  type WireFrame,
  type WireHeader,
  type WireLine,
  type WireRecord,
} from '../../contract/topics/wire.js'
import { encodeFrame, type Frame } from '../../hsms/frame/frame.js'
import {
  dataMessage,
  HEADER_LENGTH,
  type Header,
  PTYPE_SECS2,
  type SType,
  sTypeOf,
} from '../../hsms/frame/header.js'
import { codeText, STYPE_NAMES } from '../../hsms/words.js'
import { atOnce, inTurns } from '../../kit/turns.js'
import { type BlockHeader, CHARACTER, type CharacterName, decodeBlock } from '../../secs1/block.js'
import { passBody, unreadable } from '../../secs2/decode.js'
import { printSml } from '../../secs2/sml/print.js'
import { boundedSml } from '../messages/bounded-sml.js'
import type { Reading } from '../records/reading.js'
import type { Passed } from './wire-reader.js'

/** A body of more bytes is checked in steps. */
const LONG = 64 * 1024

/** A record of the wire as the API shows it; in several turns of the event loop where it has a long body. */
export async function viewInTurns(passed: Passed, reading: Reading): Promise<WireRecord> {
  if (passed.kind !== 'frame' || passed.frame.body.length <= LONG) return viewPassed(passed, reading)
  return viewPassed(passed, reading, await inTurns(checkBody(passed.frame)))
}

/** The same at once. `checked`: where its body was checked before. */
export function viewPassed(passed: Passed, reading: Reading, checked?: Checked): WireRecord {
  const at = new Date(passed.at / 1000).toISOString()
  switch (passed.kind) {
    case 'state': {
      const { lost, endpoints } = passed
      if (lost > 0) return { at, kind: 'gap', lost }
      return { at, kind: 'watching', local: endpoints?.local ?? null, remote: endpoints?.remote ?? null }
    }
    case 'opened':
      return { at, kind: 'opened', local: passed.local, remote: passed.remote }
    case 'frame':
      return {
        at,
        kind: 'frame',
        direction: passed.direction,
        ...partiesOf(passed),
        ...viewFrame(passed.frame, reading, checked),
      }
    case 'line':
      return { at, kind: 'line', direction: passed.direction, ...viewLine(passed.bytes) }
    case 'unreadable': {
      const { bytes, detail } = passed
      const cut = bytes.length > WIRE_HEX_BYTES
      return { at, kind: 'unreadable', direction: 'in', detail, length: bytes.length, hex: hexOf(bytes), cut }
    }
    case 'closed':
      return { at, kind: 'closed', detail: passed.detail }
  }
}

function partiesOf({ direction, peer }: Passed & { readonly kind: 'frame' }): Pick<WireFrame, 'from' | 'to'> {
  if (peer === undefined) return {}
  return direction === 'out' ? { from: peer, to: 'equipment' } : { from: 'equipment', to: peer }
}

const CHARACTERS = new Map(
  Object.entries(CHARACTER).map(([name, code]) => [code as number, name as CharacterName]),
)

function viewLine(bytes: Uint8Array): Omit<WireLine, 'at' | 'kind' | 'direction'> {
  const header = decodeBlock(bytes)?.header
  const character = bytes.length === 1 ? CHARACTERS.get(bytes[0] as number) : undefined
  return {
    name: header ? 'block' : (character ?? 'bytes'),
    block: header ? viewBlock(header) : null,
    length: bytes.length,
    hex: hexOf(bytes),
  }
}

const viewBlock = (header: BlockHeader): WireBlock => ({
  r_bit: header.toHost,
  device_id: header.deviceId,
  stream: header.stream,
  function: header.function,
  w_bit: header.wait,
  e_bit: header.isLast,
  number: header.number,
  system_bytes: header.systemBytes,
})

const hexOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, WIRE_HEX_BYTES)).toString('hex')

function viewFrame(
  frame: Frame,
  reading: Reading,
  { fault } = atOnce(checkBody(frame)),
): Omit<WireFrame, 'at' | 'kind' | 'direction'> {
  const length = HEADER_LENGTH + frame.body.length
  const type = kindOf(frame.header)
  const body = fault === undefined ? viewBody(frame, reading) : { sml: null, cut: false }
  return {
    header: viewHeader(frame.header),
    name: nameOf(frame.header, reading),
    detail: fault ?? (type && codeText(type, frame.header.byte3)) ?? null,
    length,
    sml: body.sml,
    hex: hexOfFrame(frame),
    cut: body.cut || length + 4 > WIRE_HEX_BYTES,
  }
}

/** The SType, undefined where the PType is not that of SECS-II. */
const kindOf = ({ pType, sType }: Header): SType | undefined =>
  pType === PTYPE_SECS2 ? sTypeOf(sType) : undefined

function viewHeader(header: Header): WireHeader {
  const type = kindOf(header)
  const data = type === 'data' ? dataMessage(header, NOTHING) : undefined
  return {
    session_id: header.sessionId,
    stream: data?.stream ?? null,
    function: data?.function ?? null,
    w_bit: data?.wait ?? null,
    byte_2: header.byte2,
    byte_3: header.byte3,
    p_type: header.pType,
    s_type: header.sType,
    s_type_name: type === undefined ? null : STYPE_NAMES[type],
    system_bytes: header.systemBytes,
  }
}

function nameOf(header: Header, { catalogue }: Reading): string {
  const type = kindOf(header)
  if (type === 'data') {
    const { stream, function: fn } = dataMessage(header, NOTHING)
    return catalogue.name(stream, fn)
  }
  if (type !== undefined) return STYPE_NAMES[type]
  return header.pType === PTYPE_SECS2 ? `SType ${header.sType}` : `PType ${header.pType}`
}

const NOTHING = new Uint8Array()

interface Checked {
  /** Why the body of a data message cannot be decoded. */
  readonly fault?: string
}

/** Makes no item of the body: a long one would take seconds and a hundred megabytes for what is not shown. */
function* checkBody({ header, body }: Frame): Generator<void, Checked> {
  if (kindOf(header) !== 'data' || body.length === 0) return {}
  try {
    yield* passBody(body)
    return {}
  } catch (error) {
    return unreadable(error)
  }
}

function viewBody(
  { header, body }: Frame,
  { text }: Reading,
): { readonly sml: string | null; readonly cut: boolean } {
  if (kindOf(header) !== 'data') return { sml: null, cut: false }
  const { stream, function: fn, wait } = dataMessage(header, NOTHING)
  const bare = printSml({ stream, function: fn, wait, item: undefined })
  if (body.length === 0) return { sml: bare, cut: false }
  const { sml, cut } = boundedSml(body, WIRE_SML_CHARACTERS, { text })
  return { sml: `${bare.replace(/\.$/, '')}\n${sml}${cut ? '' : '.'}`, cut }
}

/** The frame's bytes as hex; a long one is cut without copying all of it. */
const hexOfFrame = ({ header, body }: Frame): string => {
  const bytes = encodeFrame({ header, body: body.subarray(0, WIRE_HEX_BYTES) })
  new DataView(bytes.buffer, bytes.byteOffset).setUint32(0, HEADER_LENGTH + body.length)
  return hexOf(bytes)
}
