import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Catalogue } from '../../src/catalogue/catalogue.js'
import { extendCatalogue } from '../../src/catalogue/site/site-catalogue.js'
import { STANDARD_CATALOGUE } from '../../src/catalogue/standard-catalogue.js'
import { csvRows } from '../../src/scenario/file/csv-rows.js'
import { readScenario, ScenarioError } from '../../src/scenario/file/read-scenario.js'
import { SHIPPED_SCENARIOS, shippedScenario } from '../../src/scenario/shipped-scenarios.js'

/** Reads `main`; the other files are there by their names. */
function read(
  main: string,
  files: Readonly<Record<string, string>> = {},
  given: Readonly<Record<string, unknown>> = {},
) {
  const all: Readonly<Record<string, string>> = { main, ...files }
  return readScenario(
    'main',
    (path) => {
      const text = all[path]
      if (text === undefined) throw new Error('there is no such file')
      return { path, text }
    },
    given,
  )
}
/** The problems of a file whose steps are these lines, which begin in line 4. */
function problems(steps: string, files: Readonly<Record<string, string>> = {}): string[] {
  try {
    read(`secsctl: 1\nname: x\nsteps:\n${steps}`, files)
    return []
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error
    return error.problems.map(({ file, line, column, detail }) => `${file}:${line}:${column} ${detail}`)
  }
}

test.each(SHIPPED_SCENARIOS)('the scenario %s that comes with secsctl can be read', (name) => {
  expect(read(shippedScenario(name) ?? '').steps.length).toBeGreaterThan(0)
})

/** Steps, the place of the mistake, and a word of its sentence. */
const WRONG: readonly (readonly [string, string, RegExp])[] = [
  ['- {}', 'main:4:3', /a step is one of send/],
  ['- { send: S1F1 W, command: START }', 'main:4:3', /send or command, not both/],
  ['- { sned: S1F1 W }', 'main:4:11', /sned is not known here/],
  ['- { wait: 5s, with: {} }', 'main:4:21', /wait has no with/],
  ['- { wait: soon }', 'main:4:11', /"soon" is not a duration/],
  ['- { wait: 5 }', 'main:4:11', /does not fit. A duration/],
  ['- { send: S1F1 W <U4 }', 'main:4:11', /not SML/],
  ['- { send: S1F1 W. S1F3 W. }', 'main:4:11', /2 messages/],
  ['- { send: S1F3 W <L>., with: { SVID: 1 } }', 'main:4:11', /whose items are in with/],
  ['- { send: S1F1 W, reply: OK }', 'main:4:26', /"OK" is not a message/],
  ['- { send: S1F1 W, expect: MDLN }', 'main:4:27', /does not fit. Values by name/],
  ['- { send: S1F1 W, expect: { MDLN: { is: 1 } } }', 'main:4:41', /is is not known here: there is equals/],
  ['- { send: S1F1 W, precondition: maybe }', 'main:4:33', /does not fit. true/],
  ['- { send: "{lot}" }', 'main:4:11', /\{lot\} has no value here/],
  ['- { command: START, with: { LOTID: "{lot}" } }', 'main:4:36', /\{lot\} has no value/],
  ['- { command: "" }', 'main:4:14', /does not fit. A remote command/],
  ['- { expect: {} }', 'main:4:13', /expect has one of event/],
  ['- { expect: { event: A, alarm: 1 } }', 'main:4:13', /expect has one of event/],
  ['- { expect: { event: A, within: 10 } }', 'main:4:33', /does not fit. A duration/],
  ['- { expect: { event: A, within: 10 s } }', 'main:4:33', /"10 s" is not a duration/],
  ['- { expect: { message: S6G11 } }', 'main:4:24', /"S6G11" is not a message/],
  [
    '- { expect: { event: A, where: { LotID: { like: x, min: 1, size: 2 } } } }',
    'main:4:66',
    /size is not known/,
  ],
  ['- { expect: { event: A, were: {} } }', 'main:4:31', /were is not known here/],
  ['- { read: ProcessState, is: { about: 1 } }', 'main:4:38', /about is not known here/],
  ['- { group: A }', 'main:4:3', /group needs steps/],
  ['- { group: A, steps: [] }', 'main:4:22', /does not fit. A list of steps/],
  ['- { group: A, steps: [ { wait: x } ] }', 'main:4:32', /"x" is not a duration/],
  ['- { repeat: {}, steps: [ { wait: 1s } ] }', 'main:4:13', /one of times, values and rows/],
  ['- { repeat: { times: 0 }, steps: [ { wait: 1s } ] }', 'main:4:22', /does not fit. A number from 1/],
  [
    '- { repeat: { rows: lots.csv }, steps: [ { wait: 1s } ] }',
    'main:4:21',
    /lots.csv: there is no such file/,
  ],
  ['- { use: other.yaml }', 'main:4:10', /other.yaml cannot be read/],
  ['- { use: main }', 'main:4:10', /main uses itself/],
  ['- { send: S1F1 W, capture: { "a b": MDLN } }', 'main:4:28', /"a b" is not a name/],
  ['- { group: A, never: [ s9 ], steps: [ { wait: 1s } ] }', 'main:4:24', /"s9" does not fit. A stream/],
  ['- { group: A, never: [ {} ], steps: [ { wait: 1s } ] }', 'main:4:24', /does not fit. A stream/],
  ['- { send: S1F3 W <L>., reply: S1F2 }', 'main:4:31', /S1F2 is no reply to S1F3: S1F4/],
  ['- { expect: { message: S1F2 } }', 'main:4:24', /S1F2 is a reply/],
  ['- { expect: { state: FOO } }', 'main:4:22', /"FOO" is not a state/],
  ['- { read: P, is: { min: x } }', 'main:4:25', /does not fit. A number/],
  ['- { read: P, is: { min: 9, max: 1 } }', 'main:4:18', /no value is from 9 to 1/],
  ['- { read: P, is: { type: real } }', 'main:4:26', /One of number, integer, text, list/],
  ['- { send: S1F1 W, like: x.sml }', 'main:4:25', /no message as SML, and no file.*no such file/],
  ['- { send: S1F1 W, like: S1F2 <L }', 'main:4:25', /no message as SML.*expected an item/],
  ['- { expect: { message: S6F11, like: S6F11 W <* } }', 'main:4:37', /no message as SML/],
  ['- { expect: { alarm: 1, like: S5F1 } }', 'main:4:31', /like does not go with alarm: take message: S5F1/],
  ['- { expect: { state: online, where: { A: 1 } } }', 'main:4:37', /where does not go with state/],
  ['- { command: A, like: S1F2 }', 'main:4:23', /command has no like/],
  ['- { read: P, is: [] }', 'main:4:18', /empty list/],
  ...[
    ['S6F12: none', 28, /"S6F12" is not a primary/],
    ['S9F7: none', 27, /S9F7 cannot have another reply/],
    ['S6F11: S5F2 <B 0>.', 28, /the reply to S6F11 is one of S6F12, S6F0/],
    ['S6F11: S6F12 <B', 28, /not SML/],
    ['S6F11: "S6F12 <B {x}>."', 28, /\{x\} has no value here/],
  ].map(
    ([on, column, sentence]) =>
      [
        `- { group: A, on: { ${on} }, steps: [ { wait: 1s } ] }`,
        `main:4:${column}`,
        sentence as RegExp,
      ] as const,
  ),
  ['- { link: off }', 'main:4:11', /does not fit. down: the gateway/],
  ['- { load: S1F1 W <L }', 'main:4:11', /not SML/],
  ['- { load: S1F1 W, rate: 0 }', 'main:4:25', /does not fit. Messages in a second/],
  ['- { load: S1F1 W, for: 2h }', 'main:4:24', /more than 1h/],
  ['- { load: S1F1 W, for: long }', 'main:4:24', /not a duration/],
  ['- { load: S1F1 W, expect: { p95: 1 } }', 'main:4:34', /load has no p95: there is count/],
  ['- { group: A, never: [ 9 ], steps: [ { wait: 1s } ] }', 'main:4:24', /does not fit. A stream/],
]
test.each(WRONG)('%s is wrong at %s: %s', (step, place, sentence) => {
  const [first = '', ...others] = problems(step)
  expect([first.split(' ')[0], others]).toEqual([place, []])
  expect(first).toMatch(sentence)
})

/** What can never be so, whatever the equipment does. */
const IMPOSSIBLE: readonly (readonly [string, string, RegExp])[] = [
  ['- { send: S1F3 W, like: S1F2 <L *>. }', '4:25', /S1F2 cannot come here: the reply is S1F4/],
  ['- { send: S1F3 W, like: S1F0. }', '4:25', /S1F0 cannot come here/],
  ['- { send: S1F3 W, reply: S9F5, like: S1F4 <L *>. }', '4:38', /the reply is S9F5/],
  ['- { send: S1F1 W, expect: { HCACK: 0 } }', '4:36', /S1F2 has no value HCACK: there is MDLN, SOFTREV/],
  ['- { send: S1F11 W, expect: { SVID: 1 } }', '4:36', /S1F12 has no value SVID: there is ROWS/],
  ['- { send: S1F13 W, expect: { COMMACK: OK } }', '4:39', /COMMACK is a number, and never OK/],
  ['- { send: S1F13 W, expect: { COMMACK: [OK, fine] } }', '4:39', /never OK or fine/],
  ['- { send: S1F1 W, capture: { m: MODEL } }', '4:33', /S1F2 has no value MODEL/],
  ['- { send: S1F1 W, reply: S1F0, expect: { MDLN: x } }', '4:48', /S1F0 has no value MDLN: it has none/],
  ['- { send: S1F1 W, reply: none, expect: { MDLN: x } }', '4:40', /no reply for expect/],
  ['- { send: S1F1 W, reply: S9F4 }', '4:26', /S9F4 is no reply/],
  ['- { send: S64F1 <B 1>., expect: { ABS: 1 } }', '4:33', /sent without W/],
  ['- { send: S6F12 <B 0>., like: S6F13 <L *>. }', '4:11', /S6F12 is a reply/],
  ['- { send: S64F1, reply: S64F2 }', '4:25', /sent without W/],
  ['- { send: S1F2 <L>. }', '4:11', /S1F2 is a reply: only primaries/],
  ['- { load: S1F2 <L>. }', '4:11', /S1F2 is a reply/],
  ['- { load: S1F1 W, capture: { x: p95 } }', '4:33', /load has no value p95/],
  ['- { send: S1F3, with: { BANANA: 1 } }', '4:33', /BANANA is not known here: there is SVID/],
  ['- { send: S2F33, with: { REPORTS: [] } }', '4:24', /DATAID is missing/],
  ['- { send: S2F15, with: { ROWS: [ { ECID: 1, ECV: 2, EVC: 2 } ] } }', '4:58', /EVC is not known/],
  ['- { command: A, expect: { ACK: 0 } }', '4:32', /has no value ACK: there is HCACK, CMDA/],
  ['- { command: A, capture: { x: CPACK } }', '4:31', /has no value CPACK/],
  ['- { read: P, capture: { x: Pressure } }', '4:28', /read P has no value Pressure/],
  ['- { read: P, is: { type: list } }', '4:26', /never a list/],
  ['- { read: P, is: { equals: 5, max: 4 } }', '4:18', /no value satisfies/],
  ['- { read: P, is: { present: false, equals: 4 } }', '4:18', /absent/],
  ['- { expect: { message: S2F41 } }', '4:24', /only the host sends S2F41 Host Command Send/],
  ['- { expect: { message: S6F11, like: S6F13 <L *>. } }', '4:37', /waits for S6F11/],
  ['- { expect: { message: S6, like: S5F1 <L *>. } }', '4:34', /waits for S6/],
  ['- { expect: { event: A, like: S5F1 <L *>. } }', '4:31', /comes as S6F11/],
  ['- { expect: { message: S5F1, where: { CEID: 1 } } }', '4:45', /S5F1 has no value CEID/],
  ['- { expect: { message: S5F1, capture: { a: LIAD } } }', '4:44', /S5F1 has no value LIAD/],
  ['- { expect: { message: S200F1 } }', '4:24', /there is no stream 200/],
  ['- { expect: { message: S6F301 } }', '4:24', /there is no function 301/],
  ['- { expect: { alarm: banana } }', '4:22', /"banana" is not an ALID/],
  ['- { expect: { cleared: -1 } }', '4:24', /"-1" is not an ALID/],
  ['- { expect: { alarm: "04001" } }', '4:22', /"04001" is not an ALID/],
  ['- { expect: { alarm: 4001, where: { TEXT: x } } }', '4:43', /an alarm has no value TEXT/],
  ['- { expect: { alarm: 4001, capture: { "a b": ALTX } } }', '4:37', /"a b" is not a name/],
  ['- { group: A, never: [ { alarm: x } ], steps: [ { wait: 1s } ] }', '4:33', /"x" is not an ALID/],
  ['- { group: A, never: [ S2F41 ], steps: [ { wait: 1s } ] }', '4:24', /only the host sends S2F41/],
  ['- { group: A, never: [ "{x}" ], steps: [ { wait: 1s } ] }', '4:24', /\{x\} has no value here/],
  ['- { group: A, on: { S2F41: none }, steps: [ { wait: 1s } ] }', '4:28', /only the host sends S2F41/],
  [
    '- { use: other.yaml, capture: { a: nothing } }',
    '4:36',
    /nothing has no value at the end of the file: x/,
  ],
  ['- { repeat: { times: 2, as: "a b" }, steps: [ { wait: 1s } ] }', '4:29', /"a b" is not a name/],
  ['- { repeat: { rows: [ { row: 1 } ] }, steps: [ { wait: 1s } ] }', '4:21', /the rows have a row/],
  [
    '- { repeat: { rows: [ { a: 1 }, { b: 1 } ] }, steps: [ { command: "{a}" } ] }',
    '4:67',
    /\{a\} has no value here/,
  ],
]
const OTHER = 'secsctl: 1\nname: y\nset: { x: 1 }\nsteps: [ { wait: "{x}s" } ]'
test.each(IMPOSSIBLE)('%s can never pass: %s %s', (step, place, sentence) => {
  const found = problems(step, { 'other.yaml': OTHER })
  expect(found).toEqual([expect.stringMatching(new RegExp(`^main:${place} `))])
  expect(found[0]).toMatch(sentence)
})

test.each([
  '- { send: S64F1 W, expect: { ANY: 1 }, like: S64F2 <L *>. }',
  '- { send: S64F1, with: { ANY: 1 }, capture: { a: ANY } }',
  '- { send: S6F11 W <L>. }',
  '- { send: S1F1 W, like: S1F2 <L <A *> <A *> <U4 *>>. }',
  '- { send: S1F1 W, expect: { BANANA: { present: false } } }',
  '- { send: S1F11 W, expect: { ROWS.0.SVID: 1, ROWS: { length: 1 } } }',
  '- { send: S1F13 W, expect: { COMMACK: [0, "1"] } }',
  '- { send: S2F25 W <B 1>., expect: { ABS: "0x01" } }',
  '- { send: S1F3, with: { SVID: [A1, 2] } }',
  '- { send: S2F17 W, reply: S2F0, like: S2F0. }',
  '- { send: S1F1, reply: S1F2 }',
  '- { send: "S1F3 W <L <U4 {x}>>.", capture: { v: SV } }',
  '- { expect: { message: S64F1, where: { ANY: 1 } } }',
  '- { expect: { message: S6F11, where: { LotID: 1 }, capture: { a: "1010" } } }',
  '- { expect: { message: S9, within: 1s } }',
  '- { expect: { event: -5, like: S6F13 <L *>. } }',
  '- { expect: { alarm: "18446744073709551615", where: { ALCD: 4, ALTX: { like: "*" } } } }',
  '- { expect: { alarm: "{x}" } }',
  '- { read: P, is: { equals: 5, max: 6 }, capture: { p: P } }',
  '- { group: A, never: [ S1F2, S1F0, S64, { alarm: 1 } ], steps: [ { wait: 1s } ] }',
  `- { send: 'S10F3 W <L <B 0> <A "日本">>.', like: 'S10F4 <A "日*">.' }`,
  `- { group: A, on: { S10F1: 'S10F2 <A "日本">.' }, steps: [ { wait: 1s } ] }`,
])('%s is unusual, and possible', (step) => {
  const found = problems(`- { operator: a, name: b }\n- { use: other.yaml, capture: { x: x } }\n${step}`, {
    'other.yaml': OTHER,
  })
  expect(found).toEqual([])
})

test('with the messages of a site, its own are checked, and without a catalogue only what holds for all', () => {
  const site = JSON.stringify({
    messages: [
      {
        stream: 2,
        function: 41,
        name: 'Ours',
        direction: 'both',
        w_bit: 'required',
        structure: '<L <OURS>>',
      },
      { stream: 2, function: 42, name: 'Theirs', direction: 'both', structure: '<L <OURS>>' },
    ],
    items: [{ name: 'OURS', formats: ['A'], meaning: 'ours' }],
  })
  const text = 'secsctl: 1\nname: x\nsteps: [ { expect: { message: S2F41, where: { RCMD: 1 } } } ]'
  const check = (catalogue: Catalogue | null): number => {
    try {
      readScenario('main', (path) => ({ path, text }), {}, catalogue)
      return 0
    } catch (error) {
      return Number(/has no value RCMD: there is OURS/.test(String(error))) + 1
    }
  }
  expect(check(STANDARD_CATALOGUE)).toBe(1)
  expect(check(extendCatalogue(STANDARD_CATALOGUE, site, 'site.json'))).toBe(2)
  expect(check(null)).toBe(0)
})

test('wrong entries of never and on are named all at once with the mistakes of the steps, each once', () => {
  const text = `secsctl: 1
name: x
never: [ 9, s9, S6F11 ]
on: { S6F12: none, S6F11: 5 }
steps:
  - { group: A, never: [ 9, s9 ], on: { S9F1: none }, steps: [ { wait: x } ] }
  - { use: other.yaml }
  - { use: other.yaml }
  - { sned: 1, capture: { m: MDLN } }
  - { send: S1F1 W, expect: { MDLN: "{m}" } }`
  try {
    read(text, { 'other.yaml': 'secsctl: 1\nname: y\nsteps: [ { wait: y } ]' })
    expect.unreachable()
  } catch (error) {
    const { problems: found } = error as ScenarioError
    expect(found.map(({ line, column }) => `${line}:${column}`).sort()).toEqual(
      ['3:10', '3:13', '4:14', '4:27', '6:26', '6:29', '6:47', '6:72', '3:18', '9:13'].sort(),
    )
  }
})

test('a variable that gets its value during the run is not taken for the one that it had before', () => {
  const wait = 'secsctl: 1\nname: y\nset: { time: 1s }\nsteps: [ { wait: "{time}" } ]'
  const capture = '- { send: S1F1 W, capture: { m: MDLN } }\n'
  expect(problems(`${capture}- { use: other, with: { time: "{m}" } }`, { other: wait })).toEqual([])
  const text = `secsctl: 1\nname: x\nset: { m: "<" }\nsteps:\n${capture}- { send: "S1F3 W <L <A {m}>>." }`
  expect(read(text).steps).toHaveLength(2)
  expect(problems('- { repeat: { values: [1s] }, steps: [ { wait: "{row}" } ] }')).toEqual([])
})

test.each([
  ['{ variable: P }', '5:15', /variable and value go together/],
  ['{ alarm: 1, event: E }', '5:15', /one of variable, alarm/],
  ['{ switch: up }', '5:25', /does not fit. The switch/],
  ['{ colour: red }', '5:25', /colour is not known here/],
  ['{ variable: P, value: "{x}" }', '5:37', /\{x\} has no value/],
])('set: %s is wrong at %s', (change, place, sentence) => {
  const text = `secsctl: 1\nname: x\nsimulator: 5999\nsteps:\n     - { set: ${change} }`
  expect(() => read(text)).toThrow(new RegExp(`main:${place}: .*${sentence.source}`))
})

test('set needs a simulator, in the file that is run', () => {
  const step = '- { set: { alarm: 1 } }'
  expect(problems(step)).toEqual([expect.stringMatching(/^main:4:10 .*needs a simulator/)])
  const other = `secsctl: 1\nname: y\nsimulator: "{port}"\nset: { port: 5999 }\nsteps: [ ${step.slice(2)} ]`
  expect(read(other).simulator).toBe('5999')
  expect(problems('- use: other', { other })).toEqual([
    expect.stringMatching(/^other:5:17 .*needs a simulator/),
  ])
  expect(() => read(other, {}, { port: '0x' })).toThrow(/"0x" is not a number/)
  expect(() => read(other.replace('5999', 'none'))).toThrow(/main:3:12: "none" is not a control port/)
})

test('all mistakes are named at once, those of a file that is used too, each with its own file', () => {
  const other = 'secsctl: 1\nname: y\nsteps: [ { wait: never } ]\n'
  const found = problems('- { use: other.yaml }\n- { wait: x }\n- { send: "{a}" }', { 'other.yaml': other })
  expect(found.map((one) => one.split(' ')[0])).toEqual(['other.yaml:3:18', 'main:5:11', 'main:6:11'])
})

test('mistakes of the head are named together with those of the steps', () => {
  try {
    read('secsctl: 2\nnmae: x\nset: 5\nsteps:\n- { wait: x }\n- { send: "S1F1 W <A {a}>." }')
  } catch (error) {
    const { problems: found } = error as ScenarioError
    expect(found.map(({ line }) => line).sort()).toEqual([1, 1, 2, 3, 5])
  }
})

describe('the whole file', () => {
  test.each([
    ['', /does not fit. A scenario/],
    ['secsctl: 2\nname: x\nsteps: [ { wait: 1s } ]', /does not fit. 1, the version/],
    ['secsctl: 1\nsteps: [ { wait: 1s } ]', /name is missing/],
    ['secsctl: 1\nname: x\nsteps: []', /does not fit. A list of steps/],
    ['secsctl: 1\nname: x\nstep: []\nsteps: [ { wait: 1s } ]', /step is not known here/],
    ['secsctl: 1\nname: x\nname: y\nsteps: [ { wait: 1s } ]', /no YAML/],
  ])('%j is refused', (text, sentence) => {
    expect(() => read(text)).toThrow(sentence)
  })

  test('a variable of the command line has to be one of the scenario', () => {
    const text = 'secsctl: 1\nname: x\nset: { lot: L1 }\nsteps: [ { send: "S1F1 W <A {lot}>." } ]'
    expect(() => read(text, {}, { lto: 'L2' })).toThrow(/no variable lto in set; there is lot/)
    // What is sent is checked with the values that it will have.
    expect(() => read(text)).toThrow(/not SML/)
    expect(read(text, {}, { lot: '"L2"' }).name).toBe('x')
  })

  test('variables that are captured have a value from then on, also outside their group, and not before', () => {
    const step = (words: string): string => `- { send: S1F1 W, ${words} }\n`
    expect(problems(`${step('capture: { m: MDLN }')}${step('expect: { MDLN: "{m}" }')}`)).toEqual([])
    expect(problems(`${step('expect: { MDLN: "{m}" }')}${step('capture: { m: MDLN }')}`)).toHaveLength(1)
    const group = '- { group: A, steps: [ { send: S1F1 W, capture: { m: MDLN } } ] }\n'
    expect(problems(group + step('expect: { MDLN: "{m}" }'))).toEqual([])
  })

  test('whatever the text is, it is read or refused as a scenario', () => {
    const word = fc.constantFrom(
      'send',
      'expect',
      'repeat',
      'use',
      'group',
      'steps',
      'with',
      'never',
      'capture',
      'is',
    )
    const value = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.dictionary(word, fc.jsonValue({ maxDepth: 2 })))
    const step = fc.dictionary(word, value, { maxKeys: 4 })
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 3 }), (steps) => {
        try {
          read(JSON.stringify({ secsctl: 1, name: 'x', steps }))
        } catch (error) {
          expect(error).toBeInstanceOf(ScenarioError)
        }
      }),
    )
  })
})

test.each([
  [
    'lot,recipe\nL1,A\n"L,2","say ""x"""\n',
    [
      { lot: 'L1', recipe: 'A' },
      { lot: 'L,2', recipe: 'say "x"' },
    ],
  ],
  ['lot\r\nL1\r\n\r\nL2', [{ lot: 'L1' }, { lot: 'L2' }]],
  ['\uFEFFa,b\n1,\n', [{ a: '1', b: '' }]],
])('%j has its rows', (text, rows) => {
  expect(csvRows(text)).toEqual(rows)
})
test.each([
  ['', /no row/],
  ['lot', /no row/],
  ['a b\n1', /"a b" is not a name/],
  ['a,b\n1', /row 1 has 1 values, and there are 2 names/],
  ['a\n"1', /no end/],
  ['a\n"1"2', /no end/],
])('%j is refused', (text, sentence) => {
  expect(() => csvRows(text)).toThrow(sentence)
})

test('rounds within rounds end at a limit of steps that run', () => {
  const nested = (times: number): string =>
    `- { repeat: { times: ${times} }, steps: [ { repeat: { times: 1000 }, steps: [ { wait: 1s } ] } ] }`
  expect(problems(nested(100))).toEqual([])
  expect(problems(nested(101))).toEqual([expect.stringMatching(/^main:4:3 more than 100000 steps would run/)])
})

test('files that use one another many times end at a limit of steps', () => {
  const uses = (name: string): string => `secsctl: 1\nname: x\nsteps:\n${`  - use: ${name}\n`.repeat(10)}`
  const files = Object.fromEntries(Array.from({ length: 7 }, (_, at) => [`d${at}`, uses(`d${at + 1}`)]))
  const found = problems('- use: d0', { ...files, d7: 'secsctl: 1\nname: y\nsteps: [ { wait: 1s } ]' })
  expect(found).toEqual([expect.stringMatching(/more than 20000 steps/)])
})
