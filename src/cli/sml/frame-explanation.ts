import { STANDARD_CATALOGUE } from '../../catalogue/standard-catalogue.js'
import type { WireHeader } from '../../contract/topics/wire.js'
import { LENGTH_BYTES } from '../../hsms/frame/frame.js'
import { dataMessage, HEADER_LENGTH, PTYPE_SECS2, readHeader, sTypeOf } from '../../hsms/frame/header.js'
import { codeText, STYPE_NAMES } from '../../hsms/words.js'
import { decoded } from '../../secs2/decode.js'
import { counted } from '../../secs2/wording.js'
import type { FrameUnit, MessageUnit } from './unit.js'

/** What an HSMS message says. */
export interface FrameExplanation {
  readonly header: WireHeader
  /** Such as `S1F13 Establish Communications Request` or `Select.req`. */
  readonly name: string
  /** What its status or reason means, or why its body cannot be read. */
  readonly detail: string | null
  /** Bytes after the length: header and body. */
  readonly length: number
  /** A data message whose body can be read. */
  readonly message: MessageUnit | undefined
}

export function explainFrame({ header, body }: FrameUnit): FrameExplanation {
  const { sessionId, byte2, byte3, pType, sType, systemBytes } = header
  const type = pType === PTYPE_SECS2 ? sTypeOf(sType) : undefined
  const data = type === 'data' ? dataMessage(header, body) : undefined
  const read = data && decoded(body)
  const unknown = pType === PTYPE_SECS2 ? `SType ${sType}` : `PType ${pType}`
  return {
    header: {
      session_id: sessionId,
      stream: data?.stream ?? null,
      function: data?.function ?? null,
      w_bit: data?.wait ?? null,
      byte_2: byte2,
      byte_3: byte3,
      p_type: pType,
      s_type: sType,
      s_type_name: type === undefined ? null : STYPE_NAMES[type],
      system_bytes: systemBytes,
    },
    name: data ? STANDARD_CATALOGUE.name(data.stream, data.function) : type ? STYPE_NAMES[type] : unknown,
    detail:
      read?.fault === undefined
        ? detailOf(type && codeText(type, byte3), data ? 0 : body.length)
        : `the body is no SECS-II: ${read.fault}`,
    length: HEADER_LENGTH + body.length,
    message:
      data && read?.fault === undefined
        ? { kind: 'message', stream: data.stream, function: data.function, wait: data.wait, item: read?.item }
        : undefined,
  }
}

/** What a control message's code says, and whether there is a body where none belongs. */
function detailOf(code: string | undefined, bodyLength: number): string | null {
  const body = bodyLength > 0 ? `a body of ${counted(bodyLength, 'byte')}, where none belongs` : undefined
  return [code, body].filter((part) => part !== undefined).join('; ') || null
}

/** Explains as much as is known of an HSMS message that is cut short. `cut` begins with its length. */
export function cutExplanationLines(cut: Uint8Array): string[] {
  const view = new DataView(cut.buffer, cut.byteOffset, cut.length)
  const there = cut.length - LENGTH_BYTES
  const missing = view.getUint32(0) - there
  const length = `${view.getUint32(0)}: ${there} there, ${missing} missing`
  if (there >= HEADER_LENGTH) {
    const header = readHeader(cut, LENGTH_BYTES)
    const { name, header: shown } = explainFrame({ kind: 'frame', header, body: new Uint8Array() })
    return [`${name}, cut`, fieldLine('length', length), ...headerLines(shown)]
  }
  const known = CUT_FIELDS.filter(({ end }) => end <= there)
  const fields = known.map(({ field, start, end }) => {
    const at = LENGTH_BYTES + start
    return fieldLine(field, String(end - start === 2 ? view.getUint16(at) : view.getUint8(at)))
  })
  return ['an HSMS message, cut in its header', fieldLine('length', length), ...fields]
}

/** Where a header has its fields (SEMI E37). Without the SType, bytes 2 and 3 have no other name. */
const CUT_FIELDS = [
  { field: 'session ID', start: 0, end: 2 },
  { field: 'byte 2', start: 2, end: 3 },
  { field: 'byte 3', start: 3, end: 4 },
  { field: 'PType', start: 4, end: 5 },
  { field: 'SType', start: 5, end: 6 },
] as const

const fieldLine = (field: string, text: string): string => `${field.padEnd(12)}  ${text}`

/** An explanation in lines for people. */
export const explanationLines = ({ header, name, detail, length }: FrameExplanation): string[] => [
  name,
  fieldLine('length', `${length}: header ${HEADER_LENGTH}, body ${length - HEADER_LENGTH}`),
  ...headerLines(header),
  ...(detail === null ? [] : [detail]),
]

function headerLines(header: WireHeader): string[] {
  const { stream, p_type, s_type, s_type_name } = header
  const isSecs2 = p_type === PTYPE_SECS2
  const unnamed = isSecs2 ? 'unknown to SEMI E37' : 'its PType says'
  const systemBytes = header.system_bytes.toString(16).padStart(8, '0').toUpperCase()
  return [
    fieldLine('session ID', String(header.session_id)),
    ...(stream === null
      ? [fieldLine('byte 2', String(header.byte_2)), fieldLine('byte 3', String(header.byte_3))]
      : [
          fieldLine('stream', String(stream)),
          fieldLine('function', String(header.function)),
          fieldLine('W-bit', header.w_bit ? '1: the sender expects a reply' : '0'),
        ]),
    fieldLine('PType', `${p_type}: ${isSecs2 ? 'SECS-II' : 'not SECS-II'}`),
    fieldLine('SType', `${s_type}: ${s_type_name ?? unnamed}`),
    fieldLine('system bytes', `0x${systemBytes}`),
  ]
}
