import { LENGTH_BYTES } from '../hsms/frame/frame.js'
import { readHeader, STYPE, sTypeOf, writeHeader } from '../hsms/frame/header.js'
import { STYPE_NAMES } from '../hsms/words.js'
import { CommandError, wholeNumber } from './control/arguments.js'

/** Members of a header that a fault can change, with the largest value of each. */
const MEMBERS = {
  session: ['sessionId', 0xffff],
  byte2: ['byte2', 0xff],
  byte3: ['byte3', 0xff],
  ptype: ['pType', 0xff],
  stype: ['sType', 0xff],
  system: ['systemBytes', 0xffffffff],
} as const

/** What happens to frames of a name that leave: nothing of them is sent, or members of their headers are these. */
export type FrameFault = 'drop' | Readonly<Partial<Record<keyof typeof MEMBERS, number>>>
export type FrameFaults = ReadonlyMap<string, FrameFault>

const CONTROL = Object.entries(STYPE_NAMES).flatMap(([type, name]) =>
  type === 'data' ? [] : [name.toLowerCase()],
)

/** `linktest.rsp drop`, `S1F2 session=5`, `reject.req:4 byte3=1`, `select.rsp off`. Throws `CommandError`. */
export function withFrameFault(
  before: FrameFaults | undefined,
  [text = '', ...words]: readonly string[],
): FrameFaults | undefined {
  const [kind = '', code] = text.split(':')
  const isData = /^S\d{1,3}F\d{1,3}$/i.test(kind)
  if (!(isData && code === undefined) && !CONTROL.includes(kind.toLowerCase()))
    throw new CommandError(
      'usage',
      `"${text}" is no frame such as S1F2, ${CONTROL.join(', ')} or reject.req:4`,
    )
  if (code !== undefined) wholeNumber(code, 0, 255)
  const faults = new Map(before)
  const name = isData ? text.toUpperCase() : text.toLowerCase()
  if (words.join(' ') === 'off') faults.delete(name)
  else faults.set(name, words.join(' ') === 'drop' ? 'drop' : Object.fromEntries(words.map(changeIn)))
  return faults.size > 0 ? faults : undefined
}

function changeIn(word: string): readonly [string, number] {
  const [, name = '', value = ''] = /^(\w+)=(\w+)$/.exec(word) ?? []
  if (!Object.hasOwn(MEMBERS, name))
    throw new CommandError('usage', `"${word}" is not drop, off, or ${Object.keys(MEMBERS).join('=N, ')}=N`)
  return [name, wholeNumber(value, 0, MEMBERS[name as keyof typeof MEMBERS][1])]
}

export const frameFaultWords = (faults: FrameFaults): readonly string[] =>
  [...faults].map(([name, fault]) => {
    const words =
      fault === 'drop' ? ['drop'] : Object.entries(fault).map(([member, value]) => `${member}=${value}`)
    return [name, ...words].join(' ')
  })

/** A frame that leaves, as the faults have it; undefined where it is not sent. */
export function faultyFrame(frame: Uint8Array, faults: FrameFaults): Uint8Array | undefined {
  const header = readHeader(frame, LENGTH_BYTES)
  const type = sTypeOf(header.sType)
  if (type === undefined) return frame
  const name =
    header.sType === STYPE.data ? `S${header.byte2 & 0x7f}F${header.byte3}` : STYPE_NAMES[type].toLowerCase()
  const fault = faults.get(`${name}:${header.byte3}`) ?? faults.get(name)
  if (fault === undefined) return frame
  if (fault === 'drop') return undefined
  const changes = Object.entries(fault).map(([member, value]) => [
    MEMBERS[member as keyof typeof MEMBERS][0],
    value,
  ])
  const changed = frame.slice()
  writeHeader({ ...header, ...Object.fromEntries(changes) }, changed, LENGTH_BYTES)
  return changed
}
