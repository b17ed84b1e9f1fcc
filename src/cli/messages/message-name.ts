import { Failure } from '../errors/failure.js'

export interface StreamFunction {
  readonly stream: number
  readonly function: number
}

/** The stream and function that `S2F41` names; undefined when the text names none. */
export function parseMessageName(text: string): StreamFunction | undefined {
  const [, stream, fn] = /^S(\d{1,3})F(\d{1,3})$/i.exec(text) ?? []
  if (stream === undefined || fn === undefined) return undefined
  const name = { stream: Number(stream), function: Number(fn) }
  if (name.stream > 127 || name.function > 255) {
    throw new Failure('usage', `${text} is no message: streams go to 127, functions to 255`)
  }
  return name
}
