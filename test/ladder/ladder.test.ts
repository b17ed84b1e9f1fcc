import fc from 'fast-check'
import { expect, test } from 'vitest'
import { durationWords } from '../../src/kit/duration-text.js'
import { widthOf } from '../../src/kit/text/columns.js'
import { htmlLadder } from '../../src/ladder/html-ladder.js'
import { type LadderMessage, rungsOf } from '../../src/ladder/rungs.js'
import { svgLadder } from '../../src/ladder/svg-ladder.js'
import { textLadder } from '../../src/ladder/text-ladder.js'

const START = new Date(2026, 2, 1, 23, 59, 50).getTime()

/** A message `after` milliseconds after the start. */
const message = (id: string, after: number, change: Partial<LadderMessage> = {}): LadderMessage => ({
  id,
  at: new Date(START + after).toISOString(),
  direction: 'sent',
  stream: 1,
  function: 1,
  name: 'S1F1 Are You There Request',
  w_bit: true,
  data: null,
  collection_event: null,
  ...change,
})
const reply: Partial<LadderMessage> = {
  direction: 'received',
  function: 2,
  w_bit: false,
  name: 'S1F2 On Line Data',
}

test('messages are drawn in their order, a reply with its time, and what did not end with a message as that', () => {
  const rungs = rungsOf([
    message('12', 30_000, { outcome: 'lost' }),
    message('9', 0, { outcome: 'replied', reply_id: '10', latency_ms: 8 }),
    message('10', 8, { ...reply, data: { MDLN: 'ETCH', SOFTREV: '2', L: ['x'], A: 1, B: 2 } }),
    message('11', 100, {
      direction: 'received',
      stream: 9,
      function: 3,
      name: 'S9F3 Unknown',
      data: { MHEAD: '0x' },
    }),
    message('13', 50, { outcome: 'timed_out', latency_ms: 45_000 }),
  ])
  expect(rungs).toMatchObject([
    { id: '9', isSent: true, label: 'S1F1 W', detail: 'Are You There Request', isFailure: false },
    { id: '10', isSent: false, label: 'S1F2', detail: 'MDLN=ETCH SOFTREV=2 A=1', latency: 8 },
    { id: '13', label: 'S1F1 W' },
    { id: '11', detail: 'Unknown', isFailure: true },
    { kind: 'pause', milliseconds: 29_900 },
    { id: '12', label: 'S1F1 W' },
    { kind: 'end', id: '12', isSent: true },
    { kind: 'pause', milliseconds: 15_050 },
    { kind: 'end', id: '13', at: START + 45_050 },
  ])
})

test('a terminal is shown host, equipment, ways, times, ids, and each date once', () => {
  const messages = [
    message('9', 0, { outcome: 'replied', reply_id: '10', latency_ms: 8 }),
    message('10', 8, reply),
    message('11', 10_000, { outcome: 'timed_out', latency_ms: 1 }),
    message('12', 10_500, { direction: 'received', function: 0, w_bit: false, name: 'S1F0 Abort' }),
  ]
  const size = { width: 60, ascii: true }
  expect(textLadder(messages, 'etcher', size)).toEqual(
    [
      '             host                                  etcher  ID',
      '2026-03-01',
      '23:59:50.000 |- S1F1 W Are You There Request ------------>| 9',
      '23:59:50.008 |<------------------- S1F2 On Line Data (8 ms) -| 10',
      '             : 10.0 s without messages                    :',
      '2026-03-02',
      '00:00:00.000 |- S1F1 W Are You There Request ------------>| 11',
      '00:00:00.001 | x no reply: the reply timeout expired         | 11',
      '00:00:00.500 |<-------------------------- x S1F0 Abort -| 12',
    ].map((line) => expect.stringContaining(line.slice(0, 20))),
  )
})

test('of tapped equipment the gateway has a line between host and equipment, at which its own messages begin', () => {
  const messages = [
    message('9', 0, { from: 'host', to: 'equipment', outcome: 'replied', reply_id: '10', latency_ms: 8 }),
    message('10', 8, { ...reply, from: 'equipment', to: 'host' }),
    message('11', 20, { from: 'gateway', to: 'equipment', outcome: 'timed_out', latency_ms: 9 }),
    message('12', 28, { ...reply, from: 'equipment', to: 'gateway' }),
  ]
  expect(textLadder(messages, 'etcher', { width: 70, ascii: true })).toEqual([
    '             host    gateway                                 etcher ID',
    '2026-03-01',
    '23:59:50.000 |-------+- S1F1 W Are You There Request ------------>| 9',
    '23:59:50.008 |<------+----------------- S1F2 On Line Data (8 ms) -| 10',
    '23:59:50.020 |       |- S1F1 W Are You There Request ------------>| 11',
    '23:59:50.028 |       |<----------------------- S1F2 On Line Data -| 12',
    '23:59:50.029 |       | x no reply: the reply timeout expired      | 11',
  ])
  const html = htmlLadder(messages, 'etcher')
  expect(html.match(/<line class="ladder-side"/g)).toHaveLength(3)
  expect(html).toContain('(gateway → equipment), message 11')
  // An arrow of the gateway begins at its line, which is not that of the host.
  const begins = [...html.matchAll(/<path[^>]* d="M(\d+) [^>]*L/g)].map(([, x]) => Number(x))
  expect(begins[0]).toBe(begins[1])
  expect(begins[2]).toBe(begins[3])
  expect(begins[2]).toBeGreaterThan(Number(begins[0]))
})

const hostile = fc.string({ unit: 'binary', maxLength: 60 })
const anyMessage = fc
  .record({
    detail: hostile,
    name: hostile,
    sml: hostile,
    after: fc.integer({ min: 0, max: 1e8 }),
    isSent: fc.boolean(),
    from: fc.constantFrom(undefined, 'host', 'gateway'),
  })
  .map(({ detail, name, sml, after, isSent, from }) =>
    message(`${after}`, after, {
      name,
      sml,
      data: { [name]: detail },
      direction: isSent ? 'sent' : 'received',
      from,
      decode_error: detail.length % 5 === 0 ? detail : undefined,
    } as Partial<LadderMessage>),
  )
const anyMessages = fc.array(anyMessage, { maxLength: 8 })

test('no line is wider than the terminal, whatever the equipment sends, and none has a control character', () => {
  fc.assert(
    fc.property(
      anyMessages,
      hostile,
      fc.integer({ min: 40, max: 200 }),
      fc.boolean(),
      (messages, name, width, ascii) => {
        for (const line of textLadder(messages, name, { width, ascii })) {
          expect(widthOf(line)).toBeLessThanOrEqual(width)
          expect(line).not.toMatch(/\p{Cc}/u)
          if (ascii) expect(line).toMatch(/^[\x20-\x7e]*$/)
        }
      },
    ),
  )
})

/** Tags as a parser of XML reads them; throws where one is not closed. */
function tagsOf(xml: string): string[] {
  const open: string[] = []
  const names: string[] = []
  for (const [, end, name = '', , self] of xml.matchAll(
    /<(\/?)([a-z0-9]+)((?: [a-zA-Z0-9:-]+="[^"<>]*")*)(\/?)>/g,
  )) {
    if (end) expect(open.pop()).toBe(name)
    else names.push(name)
    if (!end && !self) open.push(name)
  }
  expect(open).toEqual([])
  return names
}

test('texts of equipment cannot add an element, and the result is well-formed XML', () => {
  fc.assert(
    fc.property(anyMessages, hostile, (messages, name) => {
      const svg = svgLadder(messages, name, { href: (id) => `#${id}` })
      expect(new Set(tagsOf(svg))).toEqual(
        new Set(['svg', 'title', 'style', 'text', 'line', ...(messages.length > 0 ? ['a', 'path'] : [])]),
      )
      const rest = svg
        .replace(/<style>[\s\S]*<\/style>/, '')
        .replace(/<\/?[a-z0-9]+(?: [a-zA-Z0-9:-]+="[^"<>]*")*\/?>/g, '')
      expect(rest).not.toMatch(/[<>"']|&(?!(amp|lt|gt|quot|#39);)|(?!\n)\p{Cc}|\p{Cs}/u)
      const html = htmlLadder(messages, name)
      expect(html.match(/<section /g) ?? []).toHaveLength(messages.length)
      expect(html.match(/<script|<img|<iframe|https?:(?!\/\/www\.w3\.org\/2000\/svg)/g)).toBeNull()
    }),
  )
})

test.each([
  [0, '0 ms'],
  [999, '999 ms'],
  [5000, '5.0 s'],
  [61_000, '1 min 1 s'],
  [3_599_600, '1 h 0 min'],
  [7_800_000, '2 h 10 min'],
])('%d ms are shown as %s', (milliseconds, words) => {
  expect(durationWords(milliseconds)).toBe(words)
})
