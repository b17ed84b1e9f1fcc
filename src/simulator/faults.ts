import { STANDARD_CATALOGUE } from '../catalogue/standard-catalogue.js'
import type { Structure } from '../catalogue/structure/structure.js'
import type { SecsMessage } from '../gem/conversation.js'
import { STYPE } from '../hsms/frame/header.js'
import { B, type Item, U1 } from '../secs2/item.js'
import { CommandError, durationOf, isOn, wholeNumber } from './control/arguments.js'
import { type FrameFaults, faultyFrame, frameFaultWords, withFrameFault } from './frame-faults.js'
import { noiseOf, noiseText } from './link/line-noise.js'

/** A fault of the equipment that lasts until it is taken back. Its command on the control port has its name. */
interface FaultRow<Value> {
  /** The arguments of the command, as `ControlCommand.takes`. */
  readonly takes: string
  readonly summary: string
  /** The fault by these arguments, or undefined for none. Throws `CommandError`. */
  read(words: readonly string[], before: Value | undefined): Value | undefined
  /** The fault as arguments, for `status`. */
  print(value: Value): readonly string[]
}

const on = (summary: string): FaultRow<true> => ({
  takes: 'on|off',
  summary,
  read: ([word]) => (isOn(word) ? true : undefined),
  print: () => ['on'],
})

const valued = <Value>(
  takes: string,
  summary: string,
  read: (text: string) => Value | undefined,
  print: (value: Value) => string = String,
): FaultRow<Value> => ({
  takes,
  summary,
  read: (words) => (words.join(' ') === 'off' ? undefined : read(words.join(' '))),
  print: (value) => [print(value)],
})

const counted = (takes: string, summary: string, maximum: number): FaultRow<number> =>
  valued(takes, summary, (text) => wholeNumber(text, 1, maximum))

/** Those of GEM 300 tools. Their behaviour is in `gem300`. */
const TOOL_FAULTS = {
  unreadable: on('Carrier IDs cannot be read: the host has to name the carrier.'),
  differ: counted('SLOT|off', 'Read this slot of carriers as the other: empty or occupied.', 25),
  double: counted('SLOT|off', 'Read this slot of carriers as double slotted.', 25),
  /** Texts by the primary. */
  refuse: {
    takes: 'SxFy TEXT...|off',
    summary: 'Refuse this primary with an error text, such as: refuse S16F15 "Recipe is locked".',
    read: ([name = '', ...words], before) => {
      const texts = new Map(before)
      if (!/^S(3F(17|25|27)|14F(1|3|5|7|9|11)|16F(5|11|15|17|27))$/.test(name))
        throw new CommandError('usage', `"${name}" is no primary with error texts, such as S16F15`)
      if (words.join(' ') === 'off') texts.delete(name)
      else texts.set(name, words.join(' '))
      return texts.size > 0 ? texts : undefined
    },
    print: (texts) => [...texts].map(([name, text]) => `${name} ${text}`),
  } satisfies FaultRow<ReadonlyMap<string, string>>,
  'break-off': counted('COUNT|off', 'Abort process jobs once so many of their substrates are back.', 1000),
  lose: counted(
    'COUNT|off',
    'Lose the next so many collection events of carriers, jobs and substrates.',
    100_000,
  ),
}

export const isToolFault = (name: string): boolean => Object.hasOwn(TOOL_FAULTS, name)

/** The faults that a command can set. Their behaviour is in `wire.ts`, in `simulator.ts`, in `gem300` and in the functions below. */
export const FAULTS = {
  silent: on('Answer no primaries any more: the host meets T3.'),
  quiet: on('Send no primary of its own: no events, no alarms, no S1F13.'),
  late: valued(
    'DURATION|off',
    'Answer primaries so much later, such as 3s.',
    (text) => durationOf(text) || undefined,
    (ms) => `${ms}ms`,
  ),
  reject: valued(
    'REASON|off',
    'Answer primaries by Reject.req with this reason, 1 to 255; 4 is not selected.',
    (text) => wholeNumber(text, 1, 255),
  ),
  linktest: {
    takes: 'on|off',
    summary: 'Whether it responds to Linktest.req: without a response the host closes the connection.',
    read: ([word]) => (isOn(word) ? undefined : 'off'),
    print: () => ['off'],
  } satisfies FaultRow<'off'>,
  select: valued('STATUS|off', 'Answer Select.req with this status, 0 to 255; 2 is not ready.', (text) =>
    wholeNumber(text, 0, 255),
  ),
  frame: {
    takes: 'NAME drop|off|MEMBER=N...',
    summary:
      'Do not send frames of this name, or change members of their headers, such as: frame linktest.rsp drop, frame reject.req:4 byte3=1, frame S1F2 session=5.',
    read: (words, before) => withFrameFault(before, words),
    print: frameFaultWords,
  } satisfies FaultRow<FrameFaults>,
  greet: valued(
    'TEXT...|off',
    'Send this text when a connection opens, as a program that speaks no HSMS does.',
    (text) => Buffer.from(`${text}\r\n`),
    ({ length }) => `${length} bytes`,
  ),
  noise: valued(
    'KIND=N...|off',
    'A bad line: drop=500, double=500 and corrupt=500 lose, double and change one byte in 500 each way; delay=20ms passes on late what comes. Any of them.',
    noiseOf,
    noiseText,
  ),
  /** Acknowledge codes instead of the equipment's own, by the secondary such as `S2F42`. */
  ack: {
    takes: 'SxFy CODE|off',
    summary: 'Answer with this acknowledge code, such as: ack S2F42 3.',
    read: ([text = '', word = ''], before) => {
      const codes = new Map(before)
      const name = secondaryNamed(text)
      if (word === 'off') codes.delete(name)
      else codes.set(name, wholeNumber(word, 0, 255))
      return codes.size > 0 ? codes : undefined
    },
    print: (codes) => [...codes].map(([name, code]) => `${name} ${code}`),
  } satisfies FaultRow<ReadonlyMap<string, number>>,
  ...TOOL_FAULTS,
}

export type FaultName = keyof typeof FAULTS
type FaultValue<Row> = Row extends { read(...given: never[]): infer Value } ? NonNullable<Value> : never

/** The faults that an equipment has now. */
export type Faults = { [Name in FaultName]?: FaultValue<(typeof FAULTS)[Name]> }

/** Sets a fault, or takes it back, by the arguments of its command. Throws `CommandError`. */
export function setFault(faults: Faults, name: FaultName, words: readonly string[]): void {
  const row: FaultRow<unknown> = FAULTS[name]
  Object.assign(faults, { [name]: row.read(words, faults[name]) })
}

/** The faults that there are, as the commands that set them. */
export const faultTexts = (faults: Faults): readonly string[] =>
  Object.entries<FaultRow<unknown>>(FAULTS).flatMap(([name, { print }]) => {
    const value = faults[name as FaultName]
    return value === undefined ? [] : print(value).map((words) => `${name} ${words}`)
  })

/** Where a frame has the third byte and the SType of its header: four bytes of length come first (SEMI E37). */
const HEADER_BYTE_3 = 4 + 3
const S_TYPE = 4 + 5

/** A frame that leaves, changed by `linktest`, `select` or `frame`; undefined where it is not sent. */
export function outgoingFrame(
  sent: Uint8Array,
  { linktest, select, frame: frames }: Faults,
): Uint8Array | undefined {
  const frame = frames ? faultyFrame(sent, frames) : sent
  if (frame === undefined) return undefined
  const type = frame[S_TYPE]
  if (type === STYPE.linktestRsp && linktest === 'off') return undefined
  return type === STYPE.selectRsp && select !== undefined ? frame.with(HEADER_BYTE_3, select) : frame
}

/** A secondary, its acknowledge code changed by `ack`. */
export function acknowledged(message: SecsMessage, { ack }: Faults): SecsMessage {
  const { stream, function: fn, item } = message
  const code = ack?.get(`S${stream}F${fn}`)
  return code === undefined || !hasCode(stream, fn) ? message : { ...message, item: withCode(item, code) }
}

function secondaryNamed(text: string): string {
  const [, stream, fn] = /^S(\d{1,3})F(\d{1,3})$/i.exec(text) ?? []
  if (hasCode(Number(stream), Number(fn))) return `S${Number(stream)}F${Number(fn)}`
  throw new CommandError(
    'usage',
    `"${text}" is no reply of an equipment with an acknowledge code, such as S2F42`,
  )
}

/** Whether a secondary of an equipment has an acknowledge code: as its body, or first in its list (SEMI E5). */
function hasCode(stream: number, fn: number): boolean {
  const row = STANDARD_CATALOGUE.find(stream, fn, 'equipment')
  const structure: Structure | undefined =
    row && fn % 2 === 0 ? STANDARD_CATALOGUE.structures(row)[0] : undefined
  const first = structure?.kind === 'list' ? structure.members[0] : structure
  return first?.kind === 'item' && STANDARD_CATALOGUE.item(first.name)?.accepts !== undefined
}

/** A code is one byte; it keeps the format that the equipment itself gives it. */
function withCode(item: Item | undefined, code: number): Item | undefined {
  if (item?.format === 'B') return B(code)
  if (item?.format === 'U1') return U1(code)
  if (item?.format !== 'L') return item
  const [first, ...others] = item.items
  const changed = first && first.format !== 'L' ? withCode(first, code) : undefined
  return changed ? { ...item, items: [changed, ...others] } : item
}
