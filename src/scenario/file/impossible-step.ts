import { type Catalogue, CatalogueError } from '../../catalogue/catalogue.js'
import type { MessageRow } from '../../catalogue/message-row.js'
import type { Structure } from '../../catalogue/structure/structure.js'
import { isJsonObject } from '../../kit/text/json.js'
import { pointerStep } from '../../kit/text/json-text.js'
import { mismatch } from '../run/matchers.js'
import { parsePattern } from '../run/message-pattern.js'
import { LOAD_VALUES } from './load.js'
import type { Expectation, StepFile, StepName } from './schema.js'
import { filled, namesIn, type Variables } from './variables.js'

/** What is wrong in a step, and where: a JSON Pointer within the step. */
export interface StepMistake {
  readonly pointer: string
  readonly detail: string
}

interface Numbers {
  readonly stream: number
  readonly function: number
}

const numbersIn = (text: unknown): Numbers | undefined => {
  const [, stream, fn] = /^\s*['"]?S(\d+)F(\d+)/i.exec(String(text ?? '')) ?? []
  return stream === undefined ? undefined : { stream: Number(stream), function: Number(fn) }
}
const sxfy = ({ stream, function: fn }: Numbers): string => `S${stream}F${fn}`
const mistake = (pointer: string, detail: string): readonly StepMistake[] => [{ pointer, detail }]
/** Wrong items of a message that are named. */
const MAX_ITEMS = 10
const NONE: readonly StepMistake[] = []

/**
 * What a step has that can never be so, whatever the equipment does. `known`: variables whose values are known before
 * the run; what depends on others is not looked at. `catalogue`: of the gateway, where it is known.
 */
export function impossibleIn(
  written: StepFile,
  kind: StepName,
  known: Variables,
  catalogue: Catalogue | undefined,
): readonly StepMistake[] {
  const isKnown = (value: unknown): boolean => namesIn(value).every((name) => known.has(name))
  // A member that is not known is as if it were not there.
  const members = Object.entries({ ...written, steps: undefined, on: undefined, never: undefined })
  const full = Object.fromEntries(
    members.flatMap(([name, value]) => (isKnown(value) ? [[name, filled(value, known)]] : [])),
  ) as StepFile
  if (kind === 'send') return full.send === undefined ? NONE : inSend(full, written, catalogue)
  if (kind === 'command') return unknownValues(full, COMMAND_VALUES, 'the reply to a command')
  if (kind === 'read' && full.read !== undefined)
    return [
      ...unknownValues({ capture: full.capture }, [String(full.read)], `read ${full.read}`),
      ...((full.is as { readonly type?: unknown } | null)?.type === 'list'
        ? mistake('/is/type', 'a value that is read is compared as text, and is never a list')
        : NONE),
    ]
  if (kind === 'load')
    return [
      ...notPrimary(numbersIn(full.load), '/load'),
      ...unknownValues({ capture: full.capture }, LOAD_VALUES, 'load'),
    ]
  if (kind === 'expect' && full.expect !== undefined)
    return inExpectation(full.expect as Expectation, catalogue).map(({ pointer, detail }) => ({
      pointer: `/expect${pointer}`,
      detail,
    }))
  return NONE
}

const COMMAND_VALUES = ['HCACK', 'CMDA'] as const

/** A primary with an odd function. */
const notPrimary = (numbers: Numbers | undefined, pointer: string): readonly StepMistake[] =>
  numbers && numbers.function % 2 === 0
    ? mistake(pointer, `${sxfy(numbers)} is a reply: only primaries, with an odd function, can be sent`)
    : NONE

function inSend(step: StepFile, written: StepFile, catalogue: Catalogue | undefined): readonly StepMistake[] {
  const sent = numbersIn(step.send)
  if (!sent) return NONE
  const none = notPrimary(sent, '/send')
  if (none.length > 0) return none
  const looks = (['expect', 'like', 'capture'] as const).filter((member) => written[member] !== undefined)
  if (step.reply === 'none')
    return looks.flatMap((member) =>
      mistake(`/${member}`, `with reply: none there is no reply for ${member}`),
    )
  const silent = unanswered(step, sent, catalogue)
  const [first] = written.reply === undefined ? looks : ['reply' as const]
  if (silent !== undefined && first !== undefined) return mistake(`/${first}`, silent)
  const reply = written.reply === undefined ? { ...sent, function: sent.function + 1 } : numbersIn(step.reply)
  const wrong = catalogue ? wrongItems(step, sent, catalogue) : NONE
  if (!reply) return wrong
  return [
    ...wrong,
    ...otherMessage(step.like, (one) => sxfy(one) === sxfy(reply), `the reply is ${sxfy(reply)}`, ''),
    ...unknownValues(step, replyNames(reply, catalogue), sxfy(reply)),
    ...(catalogue ? wrongCodes(step.expect, '/expect', catalogue) : NONE),
  ]
}

/** The reason why the sent message gets no reply; undefined where a reply comes or may come. */
function unanswered(
  { send = '', with: data }: StepFile,
  sent: Numbers,
  catalogue: Catalogue | undefined,
): string | undefined {
  const rule = catalogue?.wBit(sent.stream, sent.function, 'host')
  if (rule === 'forbidden') return `${sxfy(sent)} has no reply`
  const asks = data !== undefined || /^\s*['"]?S\d+F\d+['"]?\s+W\b/i.test(send)
  if (!catalogue || rule === 'required' || asks) return undefined
  return `${sxfy(sent)} is sent without W, so that no reply comes: write ${sxfy(sent)} W`
}

/** Formats that equipment may have for an item in place of those of the standard. */
const OTHER_FORMATS = ['A', 'B', 'BOOLEAN', 'F8', 'I8', 'U8'] as const

/** Items of `with` that the message does not have, that are missing, or that no format holds. */
function wrongItems({ with: data }: StepFile, sent: Numbers, catalogue: Catalogue): readonly StepMistake[] {
  if (data === undefined) return NONE
  const problems = (formats: Readonly<Record<string, string>>): CatalogueError['problems'] | undefined => {
    try {
      catalogue.buildGiven(sent.stream, sent.function, data, { sender: 'host', formats })
      return undefined
    } catch (error) {
      if (error instanceof CatalogueError) return error.problems
      throw error
    }
  }
  const wrong = problems({}) ?? []
  // Equipment may have an item in another format, which the gateway knows and the file does not.
  const isCertain = ({ item }: { readonly item: string }): boolean => {
    const name = item.split('/').findLast((step) => catalogue.item(step) !== undefined)
    const isWrong = (format: string): boolean =>
      problems({ [name ?? '']: format })?.some((one) => one.item === item) ?? false
    return OTHER_FORMATS.every(isWrong)
  }
  return wrong
    .slice(0, MAX_ITEMS)
    .flatMap((one) => (isCertain(one) ? mistake(`/with/${one.item}`, `${one.item} ${one.detail}`) : NONE))
}

/** The pattern of another message than the one that may come. */
function otherMessage(
  like: unknown,
  fits: (message: Numbers) => boolean,
  why: string,
  pointer: string,
): readonly StepMistake[] {
  if (typeof like !== 'string') return NONE
  const { stream = 0, function: fn = 0 } = patternNumbers(like) ?? {}
  const numbers = { stream, function: fn }
  return patternNumbers(like) === undefined || fits(numbers)
    ? NONE
    : mistake(`${pointer}/like`, `${sxfy(numbers)} cannot come here: ${why}`)
}

function patternNumbers(like: string): Numbers | undefined {
  try {
    const { stream, function: fn } = parsePattern(like)
    return stream === undefined || fn === undefined ? undefined : { stream, function: fn }
  } catch {
    return undefined // said elsewhere
  }
}

/** The members of a map; none of what is none, which is said elsewhere. */
const mapOf = (value: unknown): Readonly<Record<string, unknown>> => (isJsonObject(value) ? value : {})

const isAbsent = (matcher: unknown): boolean =>
  (matcher as { readonly present?: unknown } | null)?.present === false

/** Names that `expect` and `capture` ask for and that no value has. A name is also the beginning of a path, `ROWS.0.SVID`. */
function unknownValues(
  { expect, capture }: { readonly expect?: unknown; readonly capture?: StepFile['capture'] | undefined },
  names: readonly string[] | undefined,
  what: string,
  member = 'expect',
): readonly StepMistake[] {
  if (names === undefined) return NONE
  const isName = (name: string): boolean => names.some((one) => one === name || name.startsWith(`${one}.`))
  const there = names.length === 0 ? 'it has none' : `there is ${names.join(', ')}`
  const say = (pointer: string, name: string): readonly StepMistake[] =>
    isName(name) ? NONE : mistake(pointer, `${what} has no value ${name}: ${there}`)
  const looked = Object.entries(mapOf(expect))
  return [
    ...looked.flatMap(([name, matcher]) =>
      isAbsent(matcher) ? NONE : say(`/${member}${pointerStep(name)}`, name),
    ),
    ...Object.entries(capture ?? {}).flatMap(([name, from]) => say(`/capture${pointerStep(name)}`, from)),
  ]
}

/** The names of the values that a reply has; undefined where any are possible. */
function replyNames(reply: Numbers, catalogue: Catalogue | undefined): readonly string[] | undefined {
  // Of what ends a transaction instead of its reply no items are known.
  if (reply.function === 0 || reply.stream === 9) return []
  return catalogue && namesOf(catalogue.rows(reply.stream, reply.function), catalogue)
}

/** The names of the values that a message from the equipment has; undefined for one that is not in the catalogue. */
function namesOf(rows: readonly MessageRow[], catalogue: Catalogue): readonly string[] | undefined {
  const own = rows.filter(({ direction }) => direction !== 'host')
  if (own.length === 0) return undefined
  return [...new Set(own.flatMap((row) => catalogue.structures(row).flatMap(readNames)))]
}

/** The names of what is read with a structure: those within a group are in its rows. */
function readNames(structure: Structure): readonly string[] {
  switch (structure.kind) {
    case 'nothing':
      return []
    case 'list':
      return structure.members.flatMap(readNames)
    case 'choice':
      return structure.alternatives.flatMap(readNames)
    default:
      return [structure.name]
  }
}

const NUMERIC = /^(B|[IUF]\d)$/

/** Texts that an item which is always a number cannot be. */
function wrongCodes(expect: unknown, pointer: string, catalogue: Catalogue): readonly StepMistake[] {
  return Object.entries(mapOf(expect)).flatMap(([name, written]) => {
    const item = catalogue.item(name)
    const isNumber = item?.single && !item.free && item.formats.every((format) => NUMERIC.test(format))
    const { equals, one_of: oneOf } = Object(written) as { equals?: unknown; one_of?: unknown }
    const wanted = Array.isArray(written) ? written : (oneOf ?? [equals ?? written])
    const isWrong = (value: unknown): boolean =>
      typeof value === 'string' && Number.isNaN(Number(value || Number.NaN))
    return isNumber && Array.isArray(wanted) && wanted.length > 0 && wanted.every(isWrong)
      ? mistake(pointer + pointerStep(name), `${name} is a number, and never ${wanted.join(' or ')}`)
      : NONE
  })
}

/** Messages that report a collection event have values of variables, which only the equipment knows. */
const REPORTING: ReadonlySet<string> = new Set(['S6F11', 'S6F13', 'S6F16', 'S6F18'])
/** The values of an alarm: those that S5F1 has, and what the gateway knows beside them. */
const ALARM_VALUES = [
  ...['ALID', 'ALTX', 'ALCD', 'alid', 'text', 'category', 'category_text'],
  ...['alarm_id', 'message_id', 'count', 'cause', 'shelved'],
]

function inExpectation(
  { event, message, alarm, cleared, where, capture, like }: Expectation,
  catalogue: Catalogue | undefined,
): readonly StepMistake[] {
  const values = (names: readonly string[] | undefined, what: string): readonly StepMistake[] =>
    unknownValues({ expect: where, capture }, names, what, 'where')
  if (event !== undefined)
    return otherMessage(like, (one) => REPORTING.has(sxfy(one)), 'an event comes as S6F11 or S6F13', '')
  const alarms = { alarm, cleared }
  for (const member of ['alarm', 'cleared'] as const)
    if (alarms[member] !== undefined)
      return [
        ...alidMistakes(alarms[member], `/${member}`),
        ...values(ALARM_VALUES, 'an alarm'),
        ...(catalogue ? wrongCodes(where, '/where', catalogue) : NONE),
      ]
  if (message === undefined) return NONE
  const wrong = notFromEquipment(message, catalogue).map((detail) => ({ pointer: '/message', detail }))
  if (wrong.length > 0) return wrong
  const numbers = numbersIn(message)
  const isReporting = numbers === undefined || REPORTING.has(message)
  const rows = (!isReporting && catalogue?.rows(numbers.stream, numbers.function)) || []
  return [
    ...otherMessage(
      like,
      (one) => message === sxfy(one) || message === `S${one.stream}`,
      `the step waits for ${message}`,
      '',
    ),
    ...values(catalogue && rows.length > 0 ? namesOf(rows, catalogue) : undefined, message),
    ...(catalogue ? wrongCodes(where, '/where', catalogue) : NONE),
  ]
}

/** The largest ALID, of the format U8. */
const MAX_ALID = 2n ** 64n - 1n

/** What is wrong with an ALID that may not be a variable any more. */
export function alidMistakes(alid: unknown, pointer: string): readonly StepMistake[] {
  const text = String(alid)
  if (/^(0|[1-9]\d*)$/.test(text) && BigInt(text) <= MAX_ALID) return NONE
  return mistake(
    pointer,
    `"${text}" is not an ALID: a number such as 4001. Where the equipment has text or a negative number, take message: S5F1, where: { ALID: ... }`,
  )
}

/** Why a message, or a stream, cannot come from the equipment. */
export function notFromEquipment(text: string, catalogue: Catalogue | undefined): readonly string[] {
  const [, stream = '', fn] = /^S(\d+)(?:F(\d+))?$/.exec(text) ?? []
  if (stream === '') return []
  if (Number(stream) > 127) return [`there is no stream ${stream}: streams are 0 to 127`]
  if (fn === undefined) return []
  if (Number(fn) > 255) return [`there is no function ${fn}: functions are 0 to 255`]
  const rows = catalogue?.rows(Number(stream), Number(fn)) ?? []
  return rows.length > 0 && rows.every(({ direction }) => direction === 'host')
    ? [`only the host sends ${catalogue?.name(Number(stream), Number(fn))}: it never comes from equipment`]
    : []
}

/** What is wrong with the matchers of a value that contradict each other; undefined where a value can satisfy all. */
export function contradiction(matcher: Readonly<Record<string, unknown>>): string | undefined {
  const { equals, one_of: oneOf, present, ...others } = matcher
  if (present === false && Object.keys(matcher).length > 1)
    return 'a value that is absent cannot be anything else'
  const wanted = equals === undefined ? oneOf : [equals]
  if (!Array.isArray(wanted)) return undefined
  const isPossible = wanted.some(
    (value) =>
      mismatch('', value, { ...others, ...(equals !== undefined && oneOf ? { one_of: oneOf } : {}) }) ===
      undefined,
  )
  return isPossible ? undefined : 'no value satisfies all of these'
}
