import { LENGTH_BYTES } from '../../hsms/frame/frame.js'
import { HEADER_LENGTH, PTYPE_SECS2, readHeader, sTypeOf } from '../../hsms/frame/header.js'
import { decoded } from '../../secs2/decode.js'
import { counted } from '../../secs2/wording.js'
import type { HexLine } from './hex-line.js'
import { readHex } from './hex-text.js'
import type { BrokenUnit, Found, FrameUnit } from './unit.js'

/**
 * What the bytes of a text in hex are. A line is a body, one or several HSMS messages, or one without its
 * length; if one line is none of these, all lines are read together. A broken unit is returned in its place, with line
 * and byte. Throws a `Failure` for text that is not hex.
 */
export const unitsOfHex = (text: string): Found[] => readHex(text).flatMap(unitsOfParagraph)

function unitsOfParagraph(lines: readonly HexLine[]): readonly Found[] {
  const each = lines.flatMap(({ line, bytes }) => unitsAt(line, bytes))
  const [first] = lines
  if (first === undefined || lines.length === 1 || !each.some(isBroken)) return each
  const together = unitsAt(first.line, Buffer.concat(lines.map(({ bytes }) => bytes)))
  if (!together.some(isBroken)) return together
  // Both are broken. Lines folded at one width belong together, and so do those of a message whose first line is cut.
  if (isFolded(lines) && balance(together) > balance(each)) return together
  return each.every(isBroken) && isCut(together[0]) ? together : each
}

const isBroken = (unit: Found): unit is BrokenUnit => unit.kind === 'broken'
const isCut = (unit: Found | undefined): boolean => unit?.kind === 'broken' && unit.cut !== undefined

/** Whole units minus broken units. */
const balance = (units: readonly Found[]): number => units.length - 2 * units.filter(isBroken).length

/** Whether all lines are as long as the first but the last, which is no longer. */
const isFolded = (lines: readonly HexLine[]): boolean => {
  const width = lines[0]?.bytes.length ?? 0
  return lines.every(({ bytes }, at) =>
    at < lines.length - 1 ? bytes.length === width : bytes.length <= width,
  )
}

const unitsAt = (line: number, bytes: Uint8Array): readonly Found[] =>
  unitsOf(bytes).map((unit) => (isBroken(unit) ? { ...unit, fault: `line ${line}: ${unit.fault}` } : unit))

/**
 * The units that bytes are. With a length that fits exactly they are HSMS messages: no body begins with 00, and none of
 * 16 MiB and more is read here. Else they are a body if they decode. Else they are an HSMS message without its
 * length, if no body begins like that, PType and SType are known and the rest fits. Else they are broken.
 */
function unitsOf(bytes: Uint8Array): readonly Found[] {
  const frames = framesOf(bytes)
  if (!frames.some(isBroken)) return frames
  const { item, fault } = decoded(bytes)
  if (fault === undefined) return item === undefined ? [] : [{ kind: 'body', item }]
  const alone = frameWithoutLength(bytes)
  if (alone) return [alone]
  return bytes[0] === 0 ? frames : [broken(`no SECS-II body: ${fault}`)]
}

/** The HSMS messages that bytes are, up to the first that does not fit. */
function framesOf(bytes: Uint8Array): Found[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const frames: Found[] = []
  for (let at = 0; at < bytes.length; ) {
    const left = bytes.length - at - LENGTH_BYTES
    if (left < 0) {
      const there = verb(left + LENGTH_BYTES)
      return [
        ...frames,
        broken(`HSMS wants ${LENGTH_BYTES} bytes of length, but ${there} left (at byte ${at})`),
      ]
    }
    const length = view.getUint32(at)
    if (length < HEADER_LENGTH) {
      const size = counted(length, 'byte')
      return [...frames, broken(`an HSMS message of ${size} has no room for its header (at byte ${at})`)]
    }
    if (length > left) {
      const fault = `an HSMS message of ${length} bytes, but ${verb(left)} left (at byte ${at})`
      return [...frames, broken(fault, bytes.subarray(at))]
    }
    at += LENGTH_BYTES
    frames.push(frame(bytes.subarray(at, at + length)))
    at += length
  }
  return frames
}

const verb = (count: number): string => `${count} ${count === 1 ? 'is' : 'are'}`

const broken = (fault: string, cut?: Uint8Array): BrokenUnit => ({ kind: 'broken', fault, cut })

const frame = (bytes: Uint8Array): FrameUnit => ({
  kind: 'frame',
  header: readHeader(bytes, 0),
  body: bytes.subarray(HEADER_LENGTH),
})

/** First bytes of session IDs that no body has: a list without length bytes, a format that there is not. */
const NO_BODY_BEGINS = [0x00, 0xff]

function frameWithoutLength(bytes: Uint8Array): FrameUnit | undefined {
  if (bytes.length < HEADER_LENGTH || !NO_BODY_BEGINS.includes(bytes[0] ?? 0)) return undefined
  const unit = frame(bytes)
  const { header, body } = unit
  const type = sTypeOf(header.sType)
  if (header.pType !== PTYPE_SECS2 || type === undefined) return undefined
  const fits = type === 'data' ? decoded(body).fault === undefined : body.length === 0
  return fits ? unit : undefined
}
