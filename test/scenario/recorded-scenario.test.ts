import { expect, test } from 'vitest'
import { STANDARD_CATALOGUE } from '../../src/catalogue/standard-catalogue.js'
import { codesBy } from '../../src/cli/scenario/record.js'
import type { Message } from '../../src/contract/topics/messages.js'
import { readScenario } from '../../src/scenario/file/read-scenario.js'
import { recordedScenario } from '../../src/scenario/record/recorded-scenario.js'

const AT = Date.parse('2026-03-01T10:00:00Z')
/** A message: its place in seconds, `> S1F3` from the host or `< S6F11` from the equipment, and its other members. */
const message = (second: number, words: string, more: Partial<Message> = {}): Message => {
  const [, way, stream, fn] = /^([<>]) S(\d+)F(\d+)$/.exec(words) ?? []
  return {
    ...{
      id: String(second * 10),
      at: new Date(AT + second * 1000).toISOString(),
      sml: `S${stream}F${fn} W.`,
    },
    ...{ direction: way === '>' ? 'sent' : 'received', stream: Number(stream), function: Number(fn) },
    ...{ data: {}, body: null, collection_event: null, ...more },
  } as Message
}
const event = (second: number, name: string | null, more: Partial<Message> = {}): Message =>
  message(second, '< S6F11', { collection_event: { ceid: '3010', name, reports: [] }, ...more })
const alarm = (second: number, ALCD: string): Message =>
  message(second, '< S5F1', { data: { ALCD, ALID: '4001', ALTX: 'x' } })
const start = (...pairs: readonly (readonly [object, object])[]) =>
  ({ L: [{ A: 'START' }, { L: pairs.map(([name, value]) => ({ L: [name, value] })) }] }) as Message['body']
const replied = { outcome: 'replied', reply_id: '1' } as const
const code = (second: number, words: string, item: string, value = '0'): Message =>
  message(second, words, { id: '1', data: { [item]: value } })

function recorded(...messages: readonly Message[]) {
  const made = recordedScenario(messages, 'Lot', ({ data }) => {
    const [[item, value] = ['', '']] = Object.entries(data ?? {})
    return item === '' ? undefined : { item, code: Number(value) }
  })
  const { steps } =
    made.steps === 0 ? { steps: [] } : readScenario('x', (path) => ({ path, text: made.text }))
  return { written: steps.map(({ written }) => written), left: made.left, text: made.text }
}

test.each<[string, readonly Message[], readonly object[], readonly string[]]>([
  [
    'a primary with the code of its reply',
    [message(0, '> S2F31', replied), code(0.1, '< S2F32', 'TIACK', '1')],
    [{ send: 'S2F31 W.', expect: { TIACK: 1 } }],
    [],
  ],
  [
    'a primary whose reply has no code',
    [message(0, '> S1F1', { outcome: 'replied' })],
    [{ send: 'S1F1 W.' }],
    [],
  ],
  [
    'a primary that stream 9 ended',
    [message(0, '> S99F1', { outcome: 'error', s9: 'S9F3' }), message(0.1, '< S9F3')],
    [{ send: 'S99F1 W.', reply: 'S9F3' }],
    [],
  ],
  [
    'a primary that SxF0 ended',
    [message(0, '> S7F5', { outcome: 'aborted' })],
    [{ send: 'S7F5 W.', reply: 'S7F0' }],
    [],
  ],
  [
    'braces of a text',
    [message(0, '> S10F3', { sml: 'S10F3 W <A "{x}">.' })],
    [{ send: 'S10F3 W <A "{{x}}">.' }],
    [],
  ],
  [
    'a text that Latin-1 does not have',
    [message(0, '> S10F3', { sml: 'S10F3 W <L <B 0> <A "日本">>.', outcome: 'replied' })],
    [{ send: 'S10F3 W <L <B 0> <A "日本">>.' }],
    [],
  ],
  [
    'S2F41 whose values are text',
    [
      message(0, '> S2F41', { ...replied, body: start([{ A: 'LOTID' }, { A: '17' }]) }),
      code(1, '< S2F42', 'HCACK', '4'),
    ],
    [{ command: 'START', with: { LOTID: '17' }, expect: { HCACK: 4 } }],
    [],
  ],
  [
    'S2F41 with a number, whose format a command would lose',
    [
      message(0, '> S2F41', { ...replied, body: start([{ A: 'N' }, { U4: [1] }]) }),
      code(1, '< S2F42', 'HCACK'),
    ],
    [{ send: 'S2F41 W.', expect: { HCACK: 0 } }],
    [],
  ],
  [
    'S2F41 with a name twice',
    [
      message(0, '> S2F41', { ...replied, body: start([{ A: 'N' }, { A: '1' }], [{ A: 'N' }, { A: '2' }]) }),
      code(1, '< S2F42', 'HCACK'),
    ],
    [{ send: 'S2F41 W.', expect: { HCACK: 0 } }],
    [],
  ],
  [
    'events, which wait longer than they took since the event before',
    [message(0, '> S1F1'), event(8, 'Started'), event(9, null)],
    [
      { send: 'S1F1 W.' },
      { expect: { event: 'Started', within: '20s' } },
      { expect: { event: 3010, within: '5s' } },
    ],
    [],
  ],
  [
    'an event after a pause of hours',
    [message(0, '> S1F1'), event(80_000, 'Started')],
    [{ send: 'S1F1 W.' }, { expect: { event: 'Started', within: '240m' } }],
    [],
  ],
  [
    'alarms',
    [alarm(0, '132'), alarm(1, '4')],
    [{ expect: { alarm: 4001, within: '5s' } }, { expect: { cleared: 4001, within: '5s' } }],
    [],
  ],
  [
    'what cannot be expected again',
    [
      message(0, '> S1F3', { outcome: 'timed_out' }),
      message(1, '> S1F5', { sml: null }),
      message(2, '> S7F3', { sml: 'x'.repeat(70_000) }),
      message(3, '< S6F1'),
      message(3, '< S6F1'),
      event(4, 'Old', { may_be_spooled: true }),
    ],
    [],
    [
      'S1F3, whose outcome is timed_out',
      'S1F5, which is not valid SECS-II',
      'S7F3, which is too long',
      'S6F1 from the equipment',
      'S6F11 from the equipment, which may be from its spool',
    ],
  ],
])('%s', (_, messages, written, left) => {
  expect(recorded(...messages)).toMatchObject({ written, left })
})

test('the acknowledge code of a reply is found beside a text that Latin-1 does not have', () => {
  const body = { L: [{ U1: [3] }, { L: [{ L: [{ U4: [1] }, { A: '日本' }] }] }] }
  const reply = message(1, '< S3F18', { body })
  expect(codesBy(STANDARD_CATALOGUE)(reply)).toMatchObject({ item: 'CAACK', code: 3 })
})
