import type { JsonObject } from '../../../kit/text/json.js'
import { readInstant } from '../../../kit/time-text.js'
import { type Base64, type EntryNumber, type NewEntry, refuseUnstorable, StoredValue } from '../../entry.js'
import { bigintArray, integerArray, textArray } from '../binary-array.js'
import type { Fence } from '../fence.js'

/** Entries of one call, as they are stored; without the numbers of entries that have none yet. */
export interface EncodedCall {
  readonly entries: readonly NewEntry[]
  readonly times: readonly number[]
  /** Those of long entries are made when the call is appended: many may wait, and one text is in memory at a time. */
  readonly texts: readonly (string | LongText)[]
  /** Of all texts, in characters. */
  readonly length: number
}

/** The text of a value that has parts. */
interface LongText {
  readonly value: StoredValue
  readonly length: number
}

/** Throws `TypeError` for what could not be read back. */
export function encodeCall(entries: readonly NewEntry[]): EncodedCall {
  for (const entry of entries) refuseUnstorable(entry)
  const times = entries.map(({ at }) => {
    const time = readInstant(at)
    if (time === undefined) throw new TypeError(`Not an ISO 8601 time in UTC with milliseconds: ${at}`)
    return time
  })
  const texts = entries.map(({ data, numbers }) => {
    const parts = data instanceof StoredValue ? data.parts : undefined
    if (parts) return { value: data as unknown as StoredValue, length: lengthOf(parts) }
    const text =
      data instanceof StoredValue ? data.json : JSON.stringify(numbers ? without(data, numbers) : data)
    if (!text?.startsWith('{')) throw new TypeError('The data of an entry has to be an object.')
    return text
  })
  return { entries, times, texts, length: texts.reduce((sum, text) => sum + text.length, 0) }
}

const lengthOf = (parts: readonly (string | Base64)[]): number =>
  parts.reduce((sum, part) => sum + (typeof part === 'string' ? part.length : part.textLength), 0)

const without = (data: JsonObject, members: object): JsonObject =>
  Object.fromEntries(Object.entries(data).filter(([name]) => !Object.hasOwn(members, name)))

/** True when an entry refers to one that was refused: it cannot be stored any more. */
export function refersToNone(entries: readonly NewEntry[], known: ReadonlySet<EntryNumber>): boolean {
  return entries.some(({ numbers = {} }) =>
    Object.values(numbers).some((number) => number.seq === undefined && !known.has(number)),
  )
}

/** The arguments of the function `append`, but for the journal, the node and the number of the batch. */
export function appendArguments(calls: readonly EncodedCall[], fence: Fence): readonly Buffer[] {
  const places = new Map<EntryNumber, number>()
  const owned = new Map<string, number>()
  const [keys, types, names, topics]: [string[], string[], string[], string[]] = [[], [], [], []]
  const [ats, datas]: [number[], string[]] = [[], []]
  const [refers, members, referred]: [number[], string[], number[]] = [[], [], []]
  for (const { entries, times, texts } of calls) {
    for (const [at, entry] of entries.entries()) {
      const { key, number, numbers } = entry
      const place = keys.push(key)
      types.push(entry.type)
      names.push(entry.name)
      topics.push(entry.topic ?? '')
      ats.push(times[at] as number)
      const text = texts[at] as EncodedCall['texts'][number]
      datas.push(typeof text === 'object' ? text.value.json : text)
      if (number) places.set(number, place)
      if (!entry.byAnyone && !owned.has(key) && fence.isOwned(key)) owned.set(key, fence.epochOf(key))
      for (const member in numbers) {
        const one = numbers[member] as EntryNumber
        refers.push(place)
        members.push(member)
        referred.push(one.seq === undefined ? (places.get(one) ?? 0) : -one.seq)
      }
    }
  }
  const columns = [...[keys, types, names, topics].map(textArray), bigintArray(ats), textArray(datas)]
  const references = [integerArray(refers), textArray(members), bigintArray(referred)]
  return [textArray([...owned.keys()]), bigintArray([...owned.values()]), ...columns, ...references]
}

/** Whether another process may have made the decision that these entries are. */
export const isDecision = ({ entries }: EncodedCall): boolean =>
  entries.some(({ unlessAfter }) => unlessAfter !== undefined)

/** The further arguments of the function `append_unless`. */
export function conditionArguments(calls: readonly EncodedCall[]): readonly Buffer[] {
  const decisions = calls.flatMap(({ entries }) => entries).filter((one) => one.unlessAfter !== undefined)
  return [
    textArray(decisions.map(({ key }) => key)),
    textArray(decisions.map(({ type }) => type)),
    textArray(decisions.map(({ name }) => name)),
    bigintArray(decisions.map(({ unlessAfter = 0 }) => unlessAfter)),
  ]
}
