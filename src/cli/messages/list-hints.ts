import type { Sent, TypedItem } from '../../contract/topics/messages.js'
import { adviceOn } from '../../explanation/code-advice.js'
import { argumentWord } from '../../kit/shell-word.js'

/** The command that lists what equipment has, for a code that says that something is not among it; undefined for others. */
export function listAfter(item: string, code: number, equipment: string): string | undefined {
  const [first = ''] = adviceOn(item, code, false).commands
  return /^secsctl \w+ list EQ$/.test(first) ? first.replace('EQ', argumentWord(equipment)) : undefined
}

/** Replies with one value for each id of the primary, and what equipment has under these ids. */
const VALUES: Readonly<Record<string, readonly [what: string, topic: string]>> = {
  S1F4: ['status variable', 'variables'],
  S2F14: ['constant', 'constants'],
}

/**
 * What an empty list in the place of a value means, with the command that lists what the equipment has; undefined for a
 * reply without one.
 */
export function emptyValues(
  { message, reply }: Pick<Sent, 'message' | 'reply'>,
  equipment: string,
): readonly [text: string, command: string] | undefined {
  const [what, topic] = VALUES[`S${reply?.stream}F${reply?.function}`] ?? []
  if (what === undefined || topic === undefined) return undefined
  const ids = membersOf(message.body).map((id) => Object.values(id).flat().join(' '))
  const values = membersOf(reply?.body ?? null)
  const absent = ids.filter((_, at) => values.length === ids.length && isEmptyList(values[at]))
  if (absent.length === 0) return undefined
  return [
    `an empty list is the value of a ${what} that ${equipment} does not have: ${absent.join(', ')}`,
    `secsctl ${topic} list ${argumentWord(equipment)}`,
  ]
}

const membersOf = (item: TypedItem | null): readonly TypedItem[] =>
  Array.isArray(item?.['L']) ? (item['L'] as TypedItem[]) : []

const isEmptyList = (item: TypedItem | undefined): boolean =>
  Array.isArray(item?.['L']) && item['L'].length === 0
