/** The topic by which a message is found by its stream and function, such as `S6F11`. `fn`: up to 256, as the reply to 255. */
export function topicOf(stream: number, fn: number): string {
  const number = stream * 1024 + fn
  const known = TOPICS.get(number)
  if (known !== undefined) return known
  const topic = `S${stream}F${fn}`
  TOPICS.set(number, topic)
  return topic
}

/** Those that have occurred: each message needs its own several times, and a text that is found again is compared fast. */
const TOPICS = new Map<number, string>()

const STREAMS = Array.from({ length: 128 }, (_, stream) => stream)
const FUNCTIONS = Array.from({ length: 256 }, (_, fn) => fn)

/**
 * The topics of messages with this stream and function; undefined stands for all. The empty topic is included, for
 * messages that were recorded before there were topics: check their header as well.
 */
export function topicsOf(stream: number | undefined, fn: number | undefined): ReadonlySet<string> {
  const streams = stream === undefined ? STREAMS : [stream]
  const functions = fn === undefined ? FUNCTIONS : [fn]
  return new Set(['', ...streams.flatMap((s) => functions.map((f) => topicOf(s, f)))])
}

/** Of the end of a message that never left: it holds also where another process has recorded that the message was lost. */
export const NOT_SENT_TOPIC = 'not_sent'
