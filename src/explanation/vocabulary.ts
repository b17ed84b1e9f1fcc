import type { Catalogue } from '../catalogue/catalogue.js'
import { editDistance } from '../kit/text/edit-distance.js'
import { ALARM_WORDS } from './alarm-words.js'
import { ERROR_WORDS } from './error-words.js'
import type { Entry, Explanation } from './explanation.js'
import { FAULT_WORDS } from './fault-words.js'
import { FILE_FAULT_WORDS } from './file-fault-words.js'
import { FORMAT_WORDS } from './format-words.js'
import { HSMS_WORDS, hsmsCode } from './hsms-words.js'
import { LINE_WORDS } from './line-words.js'
import { codeWord, itemWord, messageWord, streamWord } from './message-words.js'
import { LOGIN_WORDS, OUTCOME_WORDS, ROLE_WORDS } from './outcome-words.js'
import { STATE_WORDS } from './state-words.js'
import { TAP_WORDS } from './tap-words.js'
import { TIMER_WORDS } from './timer-words.js'

/** All words of this program that are explained, besides those of the catalogue. */
export const ENTRIES: readonly Entry[] = [
  ...ERROR_WORDS,
  ...FAULT_WORDS,
  ...FILE_FAULT_WORDS,
  ...STATE_WORDS,
  ...TAP_WORDS,
  ...OUTCOME_WORDS,
  ...TIMER_WORDS,
  ...HSMS_WORDS,
  ...LINE_WORDS,
  ...ROLE_WORDS,
  ...LOGIN_WORDS,
  ...FORMAT_WORDS,
  ...ALARM_WORDS,
]

/** As words are compared: `Select.rsp=1`, `select rsp 1` and `SELECT_RSP 1` are the same. */
const keyOf = (phrase: string): string =>
  phrase
    .toUpperCase()
    .replace(/[\s_.=:-]+/g, ' ')
    .trim()

const withKeys = ENTRIES.map((entry) => ({ entry, keys: [entry.word, ...entry.also].map(keyOf) }))

/** What a message, stream, item or value of one means. */
function fromCatalogue(key: string, catalogue: Catalogue): readonly (Explanation | undefined)[] {
  const [, stream, fn] = /^S(\d{1,3})F(\d{1,3})$/.exec(key) ?? []
  if (fn !== undefined) return [messageWord(catalogue, Number(stream), Number(fn))]
  const [, streamAlone] = /^(?:S|STREAM )(\d{1,3})$/.exec(key) ?? []
  if (streamAlone !== undefined) return [streamWord(Number(streamAlone))]
  const itemOf = (name: string | undefined): string | undefined =>
    catalogue.items.find((item) => keyOf(item.name) === name)?.name
  const [, coded, code] = /^(.+) (\d{1,10}|0X[0-9A-F]{1,8})$/.exec(key) ?? []
  const item = itemOf(coded)
  if (item !== undefined) return [codeWord(catalogue, item, Number(code))]
  const alone = itemOf(key)
  return alone === undefined ? [] : [itemWord(catalogue, alone)]
}

/** What a phrase means, everything that it may mean; nothing for one that is not known. */
export function explanationsOf(phrase: string, catalogue: Catalogue): readonly Explanation[] {
  const key = keyOf(phrase)
  const listed = withKeys.filter(({ keys }) => keys.includes(key)).map(({ entry }) => plain(entry))
  const code = listed.length === 0 ? hsmsCode(key) : undefined
  const others = [code && plain(code), ...fromCatalogue(key, catalogue)]
  return [...listed, ...others.filter((found) => found !== undefined)]
}

const plain = ({ also: _, ...explanation }: Entry): Explanation => explanation

/** So many words are suggested. */
const SUGGESTED = 3

/** Known words that are spelled nearly so, the nearest first. */
export function nearWords(phrase: string, catalogue: Catalogue): readonly string[] {
  const key = keyOf(phrase)
  const items = catalogue.items.map(({ name }) => ({ word: name, key: name }))
  const own = withKeys.map(({ entry, keys }) => ({ word: entry.word, key: keys[0] ?? '' }))
  const near = [...own, ...items]
    .map((known) => ({ ...known, off: editDistance(key, known.key) / Math.max(known.key.length, 1) }))
    .filter(({ off, key: known }) => off <= 0.34 || (key.length >= 3 && known.includes(key)))
    .sort((one, other) => one.off - other.off)
  return [...new Set(near.map(({ word }) => word))].slice(0, SUGGESTED)
}
