/** The topic by which a message is found by its stream and function, such as `S6F11`. */
export const topicOf = (stream: number, fn: number): string => `S${stream}F${fn}`

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
