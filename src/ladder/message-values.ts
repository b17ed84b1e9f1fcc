import type { Message, ReportedValue } from '../contract/topics/messages.js'

/** Characters of one value, and of all of them. */
const MAX_VALUE_LENGTH = 40
const MAX_SUMMARY_LENGTH = 200

/** The values of an event or a terminal text in one line; undefined for other messages. */
export function messageValues(
  message: Pick<Message, 'stream' | 'function' | 'data' | 'collection_event'>,
): string | undefined {
  const { stream, function: fn, data, collection_event: event } = message
  if (event) {
    const values = event.reports.flatMap(({ values: all, detail }) => [
      ...all.map(valueText),
      ...(detail === undefined ? [] : [`(${detail})`]),
    ])
    return cut(['CEID', event.ceid, event.name, ...values].filter(Boolean).join(' '), MAX_SUMMARY_LENGTH)
  }
  if (stream !== 10 || fn !== 1 || !data) return undefined
  return cut(`TID ${shown(data['TID'])} ${shown(data['TEXT'])}`, MAX_SUMMARY_LENGTH)
}

const valueText = ({ vid, name, value }: ReportedValue): string => {
  const text = cut(shown(value), MAX_VALUE_LENGTH)
  const label = name ?? vid
  return label === null ? text : `${label}=${text}`
}

const shown = (value: unknown): string =>
  Array.isArray(value) ? `[${value.map(shown).join(' ')}]` : String(value ?? '')

const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length - 3)}...` : text
