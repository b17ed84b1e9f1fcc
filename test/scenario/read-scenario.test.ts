import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
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
  ['- { command: START, with: { LOTID: "{lot}" } }', 'main:4:27', /\{lot\} has no value/],
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

test.each([
  ['{ variable: P }', '5:15', /variable and value go together/],
  ['{ alarm: 1, event: E }', '5:15', /one of variable, alarm/],
  ['{ switch: up }', '5:25', /does not fit. The switch/],
  ['{ colour: red }', '5:25', /colour is not known here/],
  ['{ variable: P, value: "{x}" }', '5:15', /\{x\} has no value/],
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

test('files that use one another many times end at a limit of steps', () => {
  const uses = (name: string): string => `secsctl: 1\nname: x\nsteps:\n${`  - use: ${name}\n`.repeat(10)}`
  const files = Object.fromEntries(Array.from({ length: 7 }, (_, at) => [`d${at}`, uses(`d${at + 1}`)]))
  const found = problems('- use: d0', { ...files, d7: 'secsctl: 1\nname: y\nsteps: [ { wait: 1s } ]' })
  expect(found).toEqual([expect.stringMatching(/more than 20000 steps/)])
})
