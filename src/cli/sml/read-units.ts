import { SmlError } from '../../secs2/sml/error.js'
import { parseItem, parseSml } from '../../secs2/sml/parse.js'
import { Tokens } from '../../secs2/sml/tokens.js'
import type { TextCodec } from '../../secs2/text.js'
import { wrongUsage } from '../errors/failure.js'
import { isHex } from './hex-text.js'
import { unitsOfHex } from './hex-units.js'
import { unitsOfJson } from './json-units.js'
import type { Found, Notation, Unit } from './unit.js'

/** Hex is recognised by its first line, other text that begins with a bracket or a brace is JSON, and the rest is SML. */
export const notationOf = (text: string): Notation =>
  isHex(text) ? 'hex' : /^[\s\ufeff]*[{[]/.test(text) ? 'json' : 'sml'

/**
 * The units of a text. Without a notation the text decides. Throws a `Failure` that names the place of an error;
 * in hex, broken units are returned in their place.
 */
export function readUnits(text: string, from: Notation = notationOf(text), codec?: TextCodec): Found[] {
  if (text.trim() === '') return []
  if (from === 'hex') return unitsOfHex(text)
  return from === 'json' ? unitsOfJson(text, codec) : unitsOfSml(text, codec)
}

/** How SML begins: an item, a message, its name or a comment. */
const BEGINS = /^[\s\ufeff]*(?:[<'"./*0-9]|S\d|\w+\s*:)/i

function unitsOfSml(text: string, codec: TextCodec | undefined): Unit[] {
  const options = codec ? { text: codec } : {}
  try {
    if (new Tokens(text).peek().kind === 'open') return [{ kind: 'body', item: parseItem(text, options) }]
    return parseSml(text, options).map((message) => ({ kind: 'message', ...message }))
  } catch (error) {
    if (!(error instanceof SmlError)) throw error
    throw wrongUsage(`this is ${BEGINS.test(text) ? 'not SML' : 'neither hex nor SML'}: ${error.message}`)
  }
}
