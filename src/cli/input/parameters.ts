import { wrongUsage } from '../errors/failure.js'

/** Names that would reach into the object instead of its members. */
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * `KEY=VALUE` and `KEY:=JSON` as an object. A key given twice becomes an array, as does a value with commas
 * where `repeats` says that the item may be repeated. `example` is one that fits, for who wrote something else.
 */
export function parseParameters(
  texts: readonly string[],
  repeats: (key: string) => boolean = () => false,
  example = 'LOTID=L1',
): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const text of texts) {
    const [, key, sign, rest] = /^([^=:\s][^=:]*)(:=|=)([\s\S]*)$/.exec(text) ?? []
    if (key === undefined || rest === undefined || FORBIDDEN.has(key)) {
      throw wrongUsage(`"${text}" is neither KEY=VALUE nor KEY:=JSON, such as ${example}`)
    }
    const value = sign === ':=' ? parseJson(key, rest) : repeats(key) ? rest.split(',') : rest
    const before = values[key]
    values[key] = before === undefined ? value : [before, value].flat()
  }
  return values
}

function parseJson(key: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw wrongUsage(`the value of ${key} is not JSON: ${(error as Error).message}`)
  }
}
