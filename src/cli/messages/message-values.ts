import type { Message, ReportedValue } from '../../contract/messages.js'
import { ellipsis } from '../output/locale.js'

/** Characters of one value, and of all of them. */
const LONGEST_VALUE = 40
const LONGEST_GIST = 200

/** What a message says, in a line, where it says something that people wait for; undefined for all others. */
export function messageGist({
  stream,
  function: fn,
  data,
  collection_event: event,
}: Message): string | undefined {
  if (event) {
    const values = event.reports.flatMap((report) => report.values)
    return cut(
      ['CEID', event.ceid, event.name, ...values.map(valueText)].filter(Boolean).join(' '),
      LONGEST_GIST,
    )
  }
  if (stream === 10 && fn === 1 && data) {
    return cut(`TID ${shown(data['TID'])} ${shown(data['TEXT'])}`, LONGEST_GIST)
  }
  return undefined
}

const valueText = ({ vid, name, value }: ReportedValue): string => {
  const text = cut(shown(value), LONGEST_VALUE)
  const label = name ?? vid
  return label === null ? text : `${label}=${text}`
}

const shown = (value: unknown): string =>
  Array.isArray(value) ? `[${value.map(shown).join(' ')}]` : String(value ?? '')

const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length - 1)}${ellipsis()}` : text
