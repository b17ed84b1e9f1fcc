import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Message } from '../../src/contract/topics/messages.js'
import { unlike } from '../../src/scenario/run/message-pattern.js'
import { toTypedJson } from '../../src/secs2/json.js'
import { parseSml } from '../../src/secs2/sml/parse.js'
import { printItem } from '../../src/secs2/sml/print.js'
import { anyItem } from '../secs2/any-item.js'

function messageOf(sml: string): Partial<Message> {
  const [found] = parseSml(sml)
  const { stream, function: fn, item } = found ?? {}
  return { stream: stream ?? 0, function: fn ?? 0, body: item ? toTypedJson(item) : null }
}

const REPORT = 'S6F11 W <L <U4 1> <U4 3010> <L <L <U4 2> <L <A "LOT-17"> <F4 1.5> <B 1 2>>>>>.'

test.each([
  [REPORT, REPORT, undefined],
  [REPORT, 'S6F11 <*>.', undefined],
  [REPORT, 'S6F11 <L *>.', undefined],
  [REPORT, 'S6F11 <L <*> <U4 3010> *>.', undefined],
  [REPORT, 'S6F11 <L <U4 *> <u4 3010> <L <L <U4 2> <L <A "LOT-*"> <F4 *> <B 1 2>>>>>.', undefined],
  [REPORT, 'S6F11 <U4 *>.', 'the body is a list of 3; expected <U4 *>'],
  [REPORT, 'S6F13 <*>.', 'S6F11 came; expected S6F13'],
  [REPORT, 'S6F11 <L <*> <U2 *> *>.', 'item 2 is <U4 3010>; expected <U2 *>'],
  [REPORT, 'S6F11 <L <*> <U4 3011> *>.', 'item 2 is <U4 3010>; expected <U4 3011>'],
  [REPORT, 'S6F11 <L <*> <*>>.', 'the body has 3 items; expected 2'],
  [REPORT, 'S6F11 <L <*> <*> <*> <*> *>.', 'the body has 3 items; expected 4 or more'],
  [
    REPORT,
    'S6F11 <L <*> <*> <L <L <*> <L <A "lot-*"> *>>>>.',
    'item 3.1.2.1 is <A "LOT-17">; expected <A "lot-*">',
  ],
  ['S1F2.', 'S1F2.', undefined],
  ['S1F2.', 'S1F2 <*>.', 'the body is nothing; expected <any *>'],
  ['S1F2 <L>.', 'S1F2.', 'the body is a list of 0; expected nothing'],
  // A star in a text stands for any characters, also in one that looks like a place.
  ['S1F2 <A "<*>">.', 'S1F2 <A "<*>">.', undefined],
  ['S1F2 <A "x > y">.', 'S1F2 <A "x * y">.', undefined],
] as const)('%s beside %s: %s', (message, pattern, difference) => {
  expect(unlike(messageOf(message), pattern)).toBe(difference)
})

test('a text that Latin-1 does not have is compared as text, whatever its encoding', () => {
  const message = { stream: 1, function: 2, body: { A: '日本' } }
  expect(unlike(message, 'S1F2 <A "日*">.')).toBeUndefined()
  expect(unlike(message, 'S1F2 <A "本">.')).toBe('the body is <A "日本">; expected <A "本">')
})

test('every message is like itself, and like nothing but its items', () => {
  fc.assert(
    fc.property(anyItem, (item) => {
      const message = { stream: 1, function: 2, body: toTypedJson(item) }
      expect(unlike(message, `S1F2 ${printItem(item)}.`)).toBeUndefined()
      expect(unlike(message, 'S1F2 <*>.')).toBeUndefined()
      expect(unlike(message, 'S1F2.')).toBeDefined()
    }),
  )
})
