import { isJsonObject } from '../../kit/text/json.js'

/** A message that a gateway recorded. */
export interface RecordedMessage {
  /** Its number in the journal. */
  readonly id: number
  /** When it was recorded, in milliseconds. */
  readonly at: number
  readonly from: 'host' | 'equipment'
  readonly stream: number
  readonly function: number
  readonly wait: boolean
  readonly sessionId: number
  readonly systemBytes: number
  readonly body: Uint8Array
  /** Of a secondary: the number of its primary. */
  readonly replyTo: number | undefined
}

/** A line that is no entry of a journal, or more messages than are accepted. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError'

  constructor(line: number, detail: string) {
    super(`line ${line}: ${detail}`)
  }
}

const MAX_MESSAGES = 1_000_000
const MAX_BYTES = 512 * 1024 * 1024

/**
 * The messages of each equipment, by its id and in their order, from the lines of `journal export`. Entries that
 * are not messages are skipped. Throws `RecordingError`.
 */
export async function readRecording(
  lines: AsyncIterable<string> | Iterable<string>,
): Promise<ReadonlyMap<string, readonly RecordedMessage[]>> {
  const found = new Map<string, RecordedMessage[]>()
  let line = 0
  let messages = 0
  let bytes = 0
  for await (const text of lines) {
    line += 1
    if (text.trim() === '') continue
    const entry = entryOf(text, line)
    const from = SENDERS[String(entry['name'])]
    if (entry['type'] !== 'message' || from === undefined) continue
    const message = messageOf(entry, from, line)
    messages += 1
    bytes += message.body.length
    if (messages > MAX_MESSAGES || bytes > MAX_BYTES) {
      throw new RecordingError(
        line,
        `more than ${MAX_MESSAGES} messages or ${MAX_BYTES} bytes: export fewer entries`,
      )
    }
    const key = String(entry['key'])
    const known = found.get(key)
    if (known) known.push(message)
    else found.set(key, [message])
  }
  return found
}

/** The names of entries with messages; the journal is the host's. */
const SENDERS: Readonly<Record<string, RecordedMessage['from']>> = {
  message_sent: 'host',
  message_received: 'equipment',
}

type Members = Readonly<Record<string, unknown>>

function entryOf(text: string, line: number): Members {
  try {
    const json: unknown = JSON.parse(text)
    if (isJsonObject(json)) return json
  } catch {}
  throw new RecordingError(line, 'not an entry of a journal; "secsctl journal export" prints them')
}

function messageOf(entry: Members, from: RecordedMessage['from'], line: number): RecordedMessage {
  const data = isJsonObject(entry['data']) ? entry['data'] : {}
  const whole = (given: Members, name: string, most: number): number => {
    const value = given[name]
    if (Number.isInteger(value) && Number(value) >= 0 && Number(value) <= most) return Number(value)
    throw new RecordingError(line, `the message has no ${name} from 0 to ${most}`)
  }
  const at = Date.parse(String(entry['at']))
  if (Number.isNaN(at)) throw new RecordingError(line, 'the entry has no time (at)')
  const replyTo = data['reply_to']
  return {
    id: whole(entry, 'seq', Number.MAX_SAFE_INTEGER),
    at,
    from,
    stream: whole(data, 'stream', 127),
    function: whole(data, 'function', 255),
    wait: data['w_bit'] === true,
    sessionId: whole(data, 'session_id', 65_535),
    systemBytes: whole(data, 'system_bytes', 4_294_967_295),
    body: Buffer.from(typeof data['body'] === 'string' ? data['body'] : '', 'base64'),
    replyTo: typeof replyTo === 'number' ? replyTo : undefined,
  }
}

export const isRecordedPrimary = (message: RecordedMessage): boolean => message.function % 2 === 1

/** Such as S6F11. */
export const nameOf = ({
  stream,
  function: fn,
}: {
  readonly stream: number
  readonly function: number
}): string => `S${stream}F${fn}`
