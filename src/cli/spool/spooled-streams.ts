import type { SpooledStream } from '../../contract/topics/spool.js'
import { wrongUsage } from '../errors/failure.js'

/** Messages and whole streams, as `S5F1 S6`. */
export const spooledText = (streams: readonly SpooledStream[]): string =>
  streams
    .flatMap(({ stream, functions }) =>
      functions.length === 0 ? [`S${stream}`] : functions.map((fn) => `S${stream}F${fn}`),
    )
    .join(' ')

/** The same as typed words. A stream that is named alone stands for all of its functions. */
export function spooledGiven(words: readonly string[]): SpooledStream[] {
  const streams = new Map<number, number[] | undefined>()
  for (const word of words) {
    const [, stream, fn] = /^S([0-9]{1,3})(?:F([0-9]{1,3}))?$/i.exec(word) ?? []
    if (stream === undefined)
      throw wrongUsage(`"${word}" is neither a message, such as S6F11, nor a stream, such as S6`)
    const others = streams.has(Number(stream)) ? streams.get(Number(stream)) : []
    streams.set(
      Number(stream),
      fn === undefined || others === undefined ? undefined : [...others, Number(fn)],
    )
  }
  return [...streams].map(([stream, functions = []]) => ({ stream, functions }))
}
