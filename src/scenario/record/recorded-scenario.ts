import { Document, isMap, isSeq } from 'yaml'
import type { Message, TypedItem } from '../../contract/topics/messages.js'
import { FOR_OLD_READERS } from '../../kit/text/yaml-for-old-readers.js'
import { timeOf } from '../../ladder/rungs.js'
import { MAX_SML, type StepFile } from '../file/schema.js'

/** A scenario that was made of recorded messages. */
export interface RecordedScenario {
  /** The file, as YAML. */
  readonly text: string
  readonly steps: number
  /** What the scenario does not have, in words, each once: `S6F1 from the equipment`. */
  readonly left: readonly string[]
}

/** The acknowledge code of a reply, such as HCACK and 0; undefined where it has none. */
export type CodeOf = (reply: Message) => { readonly item: string; readonly code: number } | undefined

/** How long an expectation waits: the first of these that is long enough. */
const WAITS: readonly (readonly [milliseconds: number, text: string])[] = [
  ...[5, 10, 20, 30].map((seconds) => [seconds * 1000, `${seconds}s`] as const),
  ...[1, 2, 5, 10, 20, 30, 60, 120, 240].map((minutes) => [minutes * 60_000, `${minutes}m`] as const),
]
/** Equipment is not equally fast each time: how many times longer it may take than it took. */
const SLOWER = 1.5

/**
 * A scenario that sends what the host sent and expects the replies, events and alarms that came. `messages`: of one
 * equipment, oldest first. `name` is its title.
 */
export function recordedScenario(
  messages: readonly Message[],
  name: string,
  codeOf: CodeOf,
): RecordedScenario {
  const byId = new Map(messages.map((message) => [message.id, message]))
  const left = new Set<string>()
  const steps: { readonly at: string; readonly step: StepFile }[] = []
  // Between two actions no time passes in a run, so the time for an event counts from the event before it.
  let since = Date.parse(messages[0]?.at ?? '')
  for (const message of messages) {
    if (message.function % 2 === 0 || message.stream === 9) continue
    const { at, direction } = message
    const reply = byId.get(message.reply_id ?? '')
    const step =
      direction === 'sent' ? action(message, reply, codeOf) : expectation(message, Date.parse(at) - since)
    if (step === undefined) left.add(leftOut(message))
    else steps.push({ at, step })
    if (direction === 'received' && step !== undefined) since = Date.parse(at)
  }
  return { text: fileText(name, steps), steps: steps.length, left: [...left] }
}

const leftOut = ({
  stream,
  function: fn,
  direction,
  outcome,
  sml,
  may_be_spooled: isOld,
}: Message): string => {
  const label = `S${stream}F${fn}`
  if (direction === 'received')
    return `${label} from the equipment${isOld ? ', which may be from its spool' : ''}`
  if (sml === null) return `${label}, which is not valid SECS-II`
  return sml.length > MAX_SML ? `${label}, which is too long` : `${label}, whose outcome is ${outcome}`
}

/** Outcomes of a primary that can be expected of the next run. */
const REPEATABLE: readonly (string | undefined)[] = [undefined, 'not_expected', 'replied', 'aborted', 'error']

function action(message: Message, reply: Message | undefined, codeOf: CodeOf): StepFile | undefined {
  const { stream, function: fn, outcome, s9, sml } = message
  if (sml === null || sml.length > MAX_SML || !REPEATABLE.includes(outcome)) return undefined
  if (outcome === 'error' && s9 === undefined) return undefined
  const ended = outcome === 'aborted' ? `S${stream}F0` : outcome === 'error' ? s9 : undefined
  const code = reply && ended === undefined ? codeOf(reply) : undefined
  const expect = code && Object.hasOwn(reply?.data ?? {}, code.item) ? { [code.item]: code.code } : undefined
  const command = stream === 2 && fn === 41 && expect ? commandOf(message.body) : undefined
  if (command) return { ...command, expect }
  return {
    send: braced(sml),
    ...(ended !== undefined && { reply: ended }),
    ...(expect && { expect }),
  }
}

/** A text in which a brace is no variable. */
const braced = (text: string): string => text.replace(/[{}]/g, '$&$&')

const listOf = (item: TypedItem | null | undefined): readonly TypedItem[] | undefined =>
  Array.isArray(item?.['L']) ? item['L'] : undefined
const textOf = (item: TypedItem | undefined): string | undefined =>
  typeof item?.['A'] === 'string' ? item['A'] : undefined

/** S2F41 as a command with its parameters; undefined where a value is not text, whose format would be lost. */
function commandOf(body: TypedItem | null): Pick<StepFile, 'command' | 'with'> | undefined {
  const [command, list] = listOf(body) ?? []
  const name = textOf(command)
  const pairs = listOf(list)?.map((pair) => listOf(pair)?.map(textOf) ?? [])
  if (!name || pairs === undefined) return undefined
  const named = new Map(pairs.map(([key, value]) => [key, value]))
  const isText = pairs.every((pair) => pair.length === 2 && pair[0] && pair[1] !== undefined)
  if (!isText || named.size !== pairs.length || [...named.keys()].some((key) => /^\d+$/.test(key ?? '')))
    return undefined
  const values = pairs.map(([key = '', value = '']) => [braced(key), braced(value)])
  return { command: braced(name), ...(values.length > 0 && { with: Object.fromEntries(values) }) }
}

function expectation(message: Message, took: number): StepFile | undefined {
  const { stream, function: fn, data, collection_event: event } = message
  if (message.may_be_spooled) return undefined
  const within = (WAITS.find(([milliseconds]) => milliseconds >= took * SLOWER) ?? WAITS.at(-1))?.[1]
  if (stream === 6 && (fn === 11 || fn === 13) && event)
    return { expect: { event: event.name ? braced(event.name) : numbered(event.ceid), within } }
  if (stream !== 5 || fn !== 1 || data?.['ALID'] === undefined) return undefined
  const isSet = Number(data['ALCD']) >= 128
  const alid = String(data['ALID'])
  // What is no number is looked for in the message.
  return ALID.test(alid)
    ? { expect: { [isSet ? 'alarm' : 'cleared']: numbered(alid), within } }
    : {
        expect: {
          message: 'S5F1',
          where: { ALID: braced(alid), ALCD: isSet ? { min: 128 } : { max: 127 } },
          within,
        },
      }
}

const ALID = /^(0|[1-9]\d*)$/

const numbered = (id: string): number | string => (/^(0|[1-9]\d{0,14})$/.test(id) ? Number(id) : braced(id))

function fileText(name: string, steps: readonly { readonly at: string; readonly step: StepFile }[]): string {
  const document = new Document({ secsctl: 1, name, steps: steps.map(({ step }) => step) }, FOR_OLD_READERS)
  const list = document.get('steps')
  for (const [at, node] of (isSeq(list) ? list.items : []).entries()) {
    if (!isMap(node)) continue
    for (const { value } of node.items) if (isMap(value)) value.flow = true
    node.commentBefore = ` ${timeOf(Date.parse(steps[at]?.at ?? ''))}`
  }
  return document.toString({ lineWidth: 0 })
}
