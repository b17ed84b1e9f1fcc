import { beforeEach, describe, expect, test } from 'vitest'
import { Unreachable } from '../../src/client/failures.js'
import { Problem } from '../../src/contract/errors.js'
import type { Event } from '../../src/contract/topics/events.js'
import type { Message } from '../../src/contract/topics/messages.js'
import type { NamedValue } from '../../src/contract/values.js'
import { deferred } from '../../src/kit/deferred.js'
import type { LadderMessage } from '../../src/ladder/rungs.js'
import { readScenario } from '../../src/scenario/file/read-scenario.js'
import { htmlReport } from '../../src/scenario/report/html-report.js'
import { junitReport } from '../../src/scenario/report/junit.js'
import type { KnownNames } from '../../src/scenario/run/known-names.js'
import { hasStep, isWithin, type Part } from '../../src/scenario/run/part.js'
import type { RunResult } from '../../src/scenario/run/result.js'
import { runScenario } from '../../src/scenario/run/run-scenario.js'
import type { Site } from '../../src/scenario/run/site.js'
import { ManualClock } from '../support/manual-clock.js'
import { until } from '../support/until.js'

/** An equipment in memory: what a command does is a list of events. */
class FakeSite implements Site {
  readonly sent: string[] = []
  readonly commands: object[] = []
  readonly #events: Event[] = []
  #more = deferred<void>()
  #end: Error | undefined
  control = 'ONLINE_REMOTE'
  connection = 'SELECTED'
  reply: () => Partial<Message> = () => ({
    stream: 1,
    function: 2,
    name: 'S1F2',
    data: { MDLN: 'ETCH', SOFTREV: '2' },
  })
  onCommand: (name: string) => void = () => {}
  hcack = 0
  latency = () => 5

  #add(event: Partial<Event>): void {
    const id = String(this.#events.length + 1)
    this.#events.push({
      id,
      equipment_id: 'eq',
      equipment_name: 'etcher',
      at: '',
      data: {},
      type: 'message',
      name: '',
      ...event,
    })
    this.#more.resolve()
    this.#more = deferred<void>()
  }
  reported(name: string, values: Readonly<Record<string, string>> = {}): void {
    const all = Object.entries(values).map(([label, value]) => ({ vid: '1', name: label, unit: null, value }))
    const collection_event = { ceid: '3010', name, reports: [{ rptid: '1', values: all }] }
    this.#add({ name: 'message_received', data: { stream: 6, function: 11, collection_event } })
  }
  received(stream: number, fn: number): void {
    this.#add({ name: 'message_received', data: { stream, function: fn } })
  }
  alarm(alid: string, isSet = true): void {
    this.#add({ type: 'alarm', name: isSet ? 'alarm_set' : 'alarm_cleared', data: { alid } })
  }
  disconnected(): void {
    this.#add({ type: 'connection', name: 'disconnected', data: { to: 'NOT_CONNECTED' } })
  }
  becomes(to: string): void {
    this.#add({ type: 'state', name: 'control_state', data: { to } })
  }
  fail(error: Error): void {
    this.#end = error
    this.#more.resolve()
  }

  names: KnownNames = { events: [], status: [], data: [], constants: [] }
  async known() {
    return this.names
  }
  async equipment() {
    return { control_state: this.control, connection_state: this.connection } as never
  }
  alarmLooks = [false]
  async hasAlarm() {
    return (this.alarmLooks.length > 1 ? this.alarmLooks.shift() : this.alarmLooks[0]) ?? false
  }
  async send({ sml, ...named }: Parameters<Site['send']>[0]) {
    this.sent.push(sml ?? JSON.stringify(named))
    const reply = this.reply() as Message
    return { message: { id: '1', latency_ms: this.latency() } as Message, reply }
  }
  async command(body: Parameters<Site['command']>[0]) {
    this.commands.push(body)
    this.onCommand(body.command)
    return { hcack: this.hcack, hcack_text: 'text', cmda: null, accepted: true } as never
  }
  value: Partial<NamedValue> | undefined = { text: '12.5' }
  async read(name: string) {
    return this.value && ({ name, ...this.value } as never)
  }
  async message() {
    return { stream: 1, function: 0, name: 'S1F0' } as Message
  }
  readonly replies: (readonly [number, object])[] = []
  async setReplies(replies: object) {
    this.replies.push([clock.now() / 1000, replies])
  }
  readonly links: boolean[] = []
  async link(isUp: boolean) {
    this.links.push(isUp)
  }
  async newest() {
    return this.#events.length
  }
  async *events(after: number, signal: AbortSignal, lost: () => void) {
    let at = after
    while (!signal.aborted) {
      if (this.#end) lost()
      if (this.#end) throw this.#end
      const next = this.#events[at]
      if (next) at++
      if (next) yield next
      else await this.#more.promise
    }
  }
  async messages() {
    return []
  }
}

let site: FakeSite
let clock: ManualClock
const saidNo: string[] = []
beforeEach(() => {
  site = new FakeSite()
  clock = new ManualClock()
})

/** Runs steps, written as YAML. Time goes on by itself where everything waits for it. */
async function run(
  steps: string,
  head = '',
  given: Readonly<Record<string, unknown>> = {},
  files: Readonly<Record<string, string>> = {},
  part: Part = {},
  denied: (error: Problem) => void = () => {},
): Promise<RunResult> {
  const text = `secsctl: 1\nname: Lot\n${head}\nsteps:\n${steps}`
  const scenario = readScenario('lot.yaml', (path) => ({ path, text: files[path] ?? text }), given)
  const over = new AbortController()
  const running = runScenario(scenario, 'etcher', site, {
    ...{ clock, signal: over.signal, part, denied },
    operator: async (what) => !saidNo.includes(what),
  }).finally(() => over.abort())
  running.catch(() => {}) // the caller sees it
  while (!over.signal.aborted) {
    await new Promise((resolve) => setImmediate(resolve))
    if (clock.scheduled > 0) clock.advance(500)
  }
  return running
}
const verdicts = ({ steps }: RunResult) => steps.map(({ number, verdict }) => `${number} ${verdict}`)
const details = ({ steps }: RunResult) => steps.map(({ detail }) => detail).filter(Boolean)

describe('an expectation', () => {
  test('finds what came since the last step that did something began, in any order, and each only once', async () => {
    site.onCommand = () => {
      site.reported('Second', { LotID: 'L1' })
      site.reported('First', { LotID: 'L1' })
    }
    const both = '- command: START\n- expect: { event: First }\n- expect: { event: second }\n'
    expect((await run(both)).verdict).toBe('passed')
    const again = await run(`${both}- expect: { event: First, within: 2s }\n`)
    expect(verdicts(again).at(-1)).toBe('4 failed')
    expect(details(again)[0]).toMatch(/did not come within 2s; nothing came/)
    // What came before the last message to the equipment does not count.
    expect(
      (await run('- command: START\n- send: S1F1 W\n- expect: { event: First, within: 1s }')).verdict,
    ).toBe('failed')
  })

  test('waits for what is still to come, and names what came instead', async () => {
    site.onCommand = () => void clock.at(clock.now() + 3000, () => site.alarm('4001'))
    expect((await run('- command: START\n- expect: { alarm: 4001, within: 4s }')).verdict).toBe('passed')
    const late = await run('- command: START\n- expect: { alarm: 4002, within: 4s }')
    expect(details(late)).toEqual([
      expect.stringMatching(/alarm 4002 did not come within 4s; came: alarm_set 4001/),
    ])
  })

  test('of values takes the event whose values fit, and says what did not fit', async () => {
    site.onCommand = () => {
      site.reported('Started', { LotID: 'L1' })
      site.reported('Started', { LotID: 'L2' })
    }
    const steps = (lot: string) =>
      `- command: START\n- expect: { event: Started, within: 1s, where: { LotID: ${lot} } }`
    expect((await run(steps('L2'))).verdict).toBe('passed')
    expect(details(await run(steps('L3')))[0]).toMatch(/LotID is L1; expected L3, LotID is L2/)
  })

  test('of a state is met at once by equipment that is in it, else by the change', async () => {
    expect((await run('- expect: { state: ONLINE_REMOTE, within: 1s }')).verdict).toBe('passed')
    site.onCommand = () => site.becomes('ONLINE_LOCAL')
    expect((await run('- command: LOCAL\n- expect: { state: ONLINE_LOCAL, within: 1s }')).verdict).toBe(
      'passed',
    )
    expect((await run('- expect: { state: HOST_OFFLINE, within: 1s }')).verdict).toBe('failed')
    expect((await run('- expect: { state: online, within: 1s }')).verdict).toBe('passed')
    expect((await run('- expect: { state: locked, within: 2s }')).verdict).toBe('failed')
    // What changes without an event is looked at again.
    site.alarmLooks = [true, true, true, false]
    expect((await run('- expect: { state: no-alarm, within: 2s }')).verdict).toBe('failed')
    site.alarmLooks = [true, true, true, false]
    expect((await run('- expect: { state: no-alarm, within: 4s }')).verdict).toBe('passed')
  })

  test('is inconclusive when the link or the gateway is lost', async () => {
    site.onCommand = () => site.disconnected()
    expect(details(await run('- command: START\n- expect: { event: Started }'))).toEqual([
      'the link was lost',
    ])
    site.onCommand = () => site.fail(new Unreachable('http://x', 'It hung up.'))
    const lost = await run('- command: START\n- expect: { event: Started }')
    expect([lost.verdict, details(lost)[0]]).toEqual([
      'inconclusive',
      expect.stringMatching(/gateway was lost/),
    ])
  })
})

test('the values of an alarm have the names of its message', async () => {
  site.onCommand = () => site.alarm('4001')
  expect((await run('- command: A\n- expect: { alarm: 4001, where: { ALID: 4001 } }')).verdict).toBe('passed')
})

test('a call that is not allowed ends the run, and what ran has its results', async () => {
  site.reply = () => {
    throw new Problem('forbidden', 'It needs the role engineer.')
  }
  const denied: string[] = []
  const steps =
    '- command: A\n- group: B\n  steps: [ { send: S1F1 W } ]\n- group: C\n  steps: [ { command: A } ]'
  const result = await run(steps, '', {}, {}, {}, ({ code }) => denied.push(code))
  expect(verdicts(result)).toEqual(['1 passed', '2.1 inconclusive', '3 skipped'])
  expect(denied).toEqual(['forbidden'])
})

describe('a step that does not pass', () => {
  test('ends its group, and the next group runs; a failure outweighs what is inconclusive', async () => {
    saidNo.push('Open the door.')
    const result = await run(`
- group: A
  steps:
    - send: S1F1 W
      expect: { MDLN: OTHER }
    - wait: 1s
- group: B
  steps: [ { operator: Open the door. }, { wait: 1s } ]
- group: C
  steps: [ { operator: Close the door. } ]
- wait: 1s`)
    expect(verdicts(result)).toEqual([
      '1.1 failed',
      '1.2 skipped',
      '2.1 inconclusive',
      '2.2 skipped',
      '3.1 passed',
      '4 skipped',
    ])
    expect(result.verdict).toBe('failed')
    expect(result.steps[0]).toMatchObject({
      groups: ['A'],
      place: { line: 8 },
      detail: 'MDLN is ETCH; expected OTHER',
    })
  })

  test('is inconclusive where it is a precondition', async () => {
    expect((await run('- send: S1F1 W\n  precondition: true\n  expect: { MDLN: OTHER }')).verdict).toBe(
      'inconclusive',
    )
  })

  test.each([
    ['reply_timeout', 'failed'],
    ['equipment_error', 'failed'],
    ['transaction_aborted', 'failed'],
    ['connection_lost', 'inconclusive'],
    ['equipment_not_connected', 'inconclusive'],
    ['invalid_message', 'inconclusive'],
  ] as const)('%s is %s', async (code, verdict) => {
    site.reply = () => {
      throw new Problem(code, 'It failed.')
    }
    expect((await run('- send: S1F1 W')).verdict).toBe(verdict)
  })

  test('passes where S9 or an abort is the reply that is expected', async () => {
    site.reply = () => {
      throw new Problem('equipment_error', 'x', { s9: 'S9F5', message_id: '1' })
    }
    expect((await run('- { send: S1F1 W, reply: S9F5 }')).verdict).toBe('passed')
    expect((await run('- { send: S1F1 W, reply: S9F3 }')).verdict).toBe('failed')
    site.reply = () => {
      throw new Problem('transaction_aborted', 'x', { reply_id: '7' })
    }
    expect((await run('- { send: S1F1 W, reply: S1F0 }')).verdict).toBe('passed')
  })
})

test('what never may come fails the step during which it came, and only within its group', async () => {
  site.onCommand = (name) => (name === 'S9' ? site.received(9, 7) : site.alarm('4001'))
  const result = await run('- command: S9\n- wait: 1s', 'never: [ S9 ]')
  expect(verdicts(result)).toEqual(['1 failed', '2 skipped'])
  expect(details(result)).toEqual(['S9F7 came, which may not come', 'step 1 did not pass'])
  const group = '- group: A\n  never: [ { alarm: 4001 } ]\n  steps: [ { command: ALARM } ]\n'
  expect(verdicts(await run(group))).toEqual(['1.1 failed'])
  expect(
    (await run('- group: A\n  never: [ { alarm: 4002 }, S6 ]\n  steps: [ { command: ALARM } ]')).verdict,
  ).toBe('passed')
  expect((await run('- command: ALARM', 'never: [ S9F1 ]')).verdict).toBe('passed')
})

test('a load has its figures, sends at its rate, and fails where a limit is passed or a reply is missing', async () => {
  let count = 0
  site.latency = () => (++count % 50 === 0 ? 900 : 10)
  const began = clock.now()
  const good = await run('- { load: S1F1 W, rate: 20, for: 5s, capture: { slowest: max } }')
  expect(good.steps[0]).toMatchObject({
    verdict: 'passed',
    seen: { count: 100, failed: 0, p50: 10, p99: 900, max: 900 },
  })
  expect(clock.now() - began).toBeGreaterThanOrEqual(5000)
  const slow = await run('- { load: S1F1 W, for: 10s, expect: { p99: { max: 100 } } }')
  expect(details(slow)[0]).toMatch(/^p99 is 900; expected max 100 \(count 100, failed 0/)
  site.reply = () => {
    throw new Problem('reply_timeout', 'No reply.')
  }
  expect(details(await run('- { load: S1F1 W, for: 1s }'))[0]).toMatch(/^failed is 10; expected 0/)
  site.reply = () => {
    throw new Problem('connection_lost', 'Gone.')
  }
  expect((await run('- { load: S1F1 W, for: 1s }')).verdict).toBe('inconclusive')
})

test('the link is ended and made again', async () => {
  expect((await run('- link: down\n- { link: up, within: 5s }')).verdict).toBe('passed')
  expect(site.links).toEqual([false, true])
})

test('values that a step looked at or kept are in its result, and none that may be anything', async () => {
  const steps = `
- { send: S1F1 W, expect: { MDLN: ETCH, SOFTREV: { like: "*" } } }
- { send: S1F1 W, expect: { MDLN: { present: true } } }
- { send: S1F1 W, capture: { revision: SOFTREV } }
- { read: P }`
  const { steps: results } = await run(steps)
  expect(results.map(({ seen }) => seen)).toEqual([
    { MDLN: 'ETCH' },
    undefined,
    { SOFTREV: '2' },
    { P: '12.5' },
  ])
})

test.each<[value: unknown, expect: string, verdict: string]>([
  ['5', '', 'passed'],
  [['', '5'], '', 'passed'],
  ['', '', 'failed'],
  [[], '', 'failed'],
  [[''], '', 'failed'],
  [[[]], '', 'failed'],
  ['', ', expect: { ECV: "" }', 'passed'],
  ['', ', expect: { ECV: { like: "*" } }', 'failed'],
])(
  'a constant that the equipment does not know, with the value %j%s, is not kept: %s',
  async (ECV, expected, verdict) => {
    site.reply = () => ({ stream: 2, function: 14, name: 'S2F14', data: { ECV } as Message['data'] })
    const result = await run(`- { send: S2F13 W, with: { ECID: [99] }, capture: { kept: ECV }${expected} }`)
    expect(result.verdict).toBe(verdict)
    if (verdict === 'failed')
      expect(details(result)).toEqual([
        'ECV is empty, as for a variable that the equipment does not know: kept has no value',
      ])
  },
)

test('an empty text of another message is a value, and nothing at all is none', async () => {
  site.reply = () => ({ stream: 1, function: 2, name: 'S1F2', data: { MDLN: '', SOFTREV: '2' } })
  expect((await run('- { send: S1F1 W, capture: { model: MDLN } }')).verdict).toBe('passed')
  expect(details(await run('- { command: A, capture: { code: CMDA } }'))).toEqual([
    'CMDA is missing, and code has no value',
  ])
})

test('what the gateway replies is set for the file and for a group, renewed, and taken back at the end', async () => {
  const steps = `
- group: A
  on: { S6F11: 'S6F12 <B {code}>.' }
  steps: [ { wait: 45s } ]
- wait: 1s`
  const head = 'set: { code: 2 }\non: { S5F1: none }'
  expect((await run(steps, head)).verdict).toBe('passed')
  const inGroup = { S5F1: 'none', S6F11: 'S6F12 <B 2>.' }
  const [first, ...renewed] = site.replies
  expect(first).toEqual([expect.any(Number), inGroup])
  expect(renewed.slice(-4).map(([, replies]) => replies)).toEqual([inGroup, inGroup, { S5F1: 'none' }, {}])
  expect((await run('- wait: 1s')).verdict).toBe('passed')
  expect(site.replies).toHaveLength(5)
})

test('replies of a file that is used have its own variables', async () => {
  const other =
    "secsctl: 1\nname: y\nset: { code: 9 }\non: { S5F1: 'S5F2 <B {code}>.' }\nsteps: [ { wait: 1s } ]"
  await run('- use: other', "set: { code: 1 }\non: { S6F11: 'S6F12 <B {code}>.' }", {}, { other })
  expect(site.replies[0]?.[1]).toEqual({ S6F11: 'S6F12 <B 1>.', S5F1: 'S5F2 <B 9>.' })
})

test('variables come from set, the command line, captures and rows, and keep their types', async () => {
  const steps = `
- send: S1F1 W
  capture: { model: MDLN }
- repeat: { rows: [ { lot: L1 }, { lot: L2 } ] }
  steps: [ { command: START, with: { LOTID: '{lot}', ROW: '{row}', COUNT: '{count}', NAME: '{model}-{{x}}' } } ]
- repeat: { values: [ 1, 2 ], as: slot }
  steps: [ { send: S3F1, with: { SLOT: '{slot}' } } ]`
  expect((await run(steps, 'set: { count: 3 }', { count: 4 })).verdict).toBe('passed')
  expect(site.commands).toEqual(
    ['L1', 'L2'].map((lot, at) => ({
      command: 'START',
      parameters: { LOTID: lot, ROW: at + 1, COUNT: 4, NAME: 'ETCH-{x}' },
    })),
  )
  expect(site.sent.slice(1)).toEqual(
    [1, 2].map((slot) => JSON.stringify({ stream: 3, function: 1, data: { SLOT: slot } })),
  )
})

test('a reply and a message may have the form of a pattern, in a file or in the step, with variables in it', async () => {
  site.reply = () => ({
    stream: 1,
    function: 2,
    name: 'S1F2',
    data: {},
    body: { L: [{ A: 'ETCH-2' }, { U1: [7] }] },
  })
  site.onCommand = () => site.received(6, 11)
  const send = (like: string) => `- { send: S1F1 W, like: '${like}' }\n`
  expect((await run(send('S1F2 <L <A "{model}*"> *>'), 'set: { model: ETCH }')).verdict).toBe('passed')
  expect((await run(send('x.sml'), '', {}, { 'x.sml': 'S1F2 <L <*> <U1 *>>.' })).verdict).toBe('passed')
  expect(details(await run(send('S1F2 <L <*> <U4 *>>')))).toEqual(['item 2 is <U1 7>; expected <U4 *>'])
  const report = (like: string) => `- command: A\n- expect: { message: S6F11, within: 1s, like: ${like} }`
  expect((await run(report('S6F11 W'))).verdict).toBe('passed')
  expect(details(await run(report('S6F11 W <*>')))[0]).toMatch(/the body is nothing; expected/)
})

test.each([
  ['number', ['12.5'], ['x', '', ['1']]],
  ['integer', ['12', 7], ['12.5']],
  ['text', ['', 'x', '12'], [['x'], 7]],
  ['list', [[], ['x']], ['x']],
] as const)('of the type %s are %j, and not %j', async (type, good, bad) => {
  const verdict = async (value: unknown): Promise<string> => {
    site.reply = () => ({ stream: 1, function: 2, data: { X: value } })
    return (await run(`- { send: S64F1 W, expect: { X: { type: ${type} } } }`)).verdict
  }
  for (const value of good) expect(await verdict(value)).toBe('passed')
  for (const value of bad) expect(await verdict(value)).toBe('failed')
})

test('a part of a scenario runs from one step to another, and skips the others', async () => {
  const steps = `
- wait: 1s
- group: A
  steps: [ { wait: 1s }, { wait: 1s } ]
- repeat: { times: 2 }
  steps: [ { wait: 1s } ]
- wait: 1s`
  const ran = async (part: Part): Promise<string> =>
    (await run(steps, '', {}, {}, part)).steps
      .filter(({ verdict }) => verdict === 'passed')
      .map(({ number }) => number)
      .join(' ')
  expect(await ran({})).toBe('1 2.1 2.2 3.1.1 3.2.1 4')
  expect(await ran({ from: '2' })).toBe('2.1 2.2 3.1.1 3.2.1 4')
  expect(await ran({ from: '2.2', until: '3.1' })).toBe('2.2 3.1.1')
  expect(await ran({ until: '2' })).toBe('1 2.1 2.2')
  const first = '\n- { send: S1F1 W, precondition: true, expect: { MDLN: NONE } }'
  expect((await run(first + steps, '', {}, {}, { from: '2' })).verdict).toBe('passed')
  expect((await run(steps, '', {}, {}, { from: '4', until: '3' })).verdict).toBe('inconclusive')
  expect([isWithin('10', { from: '9' }), isWithin('2', { from: '10' })]).toEqual([true, false])
  const scenario = readScenario('x', () => ({ path: 'x', text: `secsctl: 1\nname: x\nsteps:${steps}` }))
  const has = ['4', '2.2', '3.2.1', '3.1'].map((number) => hasStep(scenario.steps, number))
  const lacks = ['5', '0', '2.3', '3.3', '3.0.1', '1.1'].map((number) => hasStep(scenario.steps, number))
  expect([new Set(has), new Set(lacks)]).toEqual([new Set([true]), new Set([false])])
})

test('a command is refused unless its HCACK is 0 or 4, or the one that is expected', async () => {
  site.hcack = 3
  expect(details(await run('- command: START'))).toEqual(['HCACK is 3; expected one of 0, 4: text'])
  expect((await run('- { command: START, expect: { HCACK: 3 } }')).verdict).toBe('passed')
})

test('JUnit has a case for each step, with its place and result, and is well-formed whatever the texts are', async () => {
  saidNo.push('<"&\u0001>')
  const xml = junitReport(
    await run(
      '- group: "a<b"\n  steps:\n    - operator: "<\\"&\\u0001>"\n    - wait: 1s\n- read: P\n  is: 1',
    ),
  )
  expect(xml).toContain('<testsuites tests="3" failures="0" skipped="3"')
  expect(xml).toMatch(
    /<testcase classname="Lot.a&lt;b" name="1.1 [^"<]*" file="lot.yaml" line="7" time="[\d.]+"><skipped message="[^"<]+"\/><\/testcase>/,
  )
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 has none.
  expect(xml).not.toMatch(/[\u0000-\u0008]/)
})

test('a step that is skipped says why, also in JUnit', async () => {
  const failing = '{ send: S1F1 W, expect: { MDLN: OTHER } }'
  const group = `- { group: A, steps: [ ${failing}, { wait: 1s } ] }`
  const precondition = `- { send: S1F1 W, precondition: true, expect: { MDLN: OTHER } }`
  const skipped = async (steps: string, part?: Part): Promise<readonly string[]> =>
    (await run(steps, '', {}, {}, part)).steps
      .filter(({ verdict }) => verdict === 'skipped')
      .map(({ number, detail }) => `${number}: ${detail}`)
  expect(await skipped(`${group}\n- wait: 1s`)).toEqual([
    '1.2: step 1.1 did not pass',
    '2: step 1 did not pass',
  ])
  expect(await skipped(`${precondition}\n${group}`)).toEqual(['2: the precondition 1 is not met'])
  expect(await skipped('- wait: 1s\n- wait: 1s', { from: '2' })).toEqual([
    '1: it is not in the part that runs',
  ])
  const xml = junitReport(await run(`${precondition}\n- wait: 1s`), (file) => `here/${file}`)
  expect(xml).toContain('<skipped message="the precondition 1 is not met"/>')
  expect(xml).toContain('file="here/lot.yaml"')
})

test('a long text is cut in reasons, JUnit, and the page, where it says how long it is', async () => {
  const long = 'x'.repeat(1_000_000)
  site.reply = () => ({ stream: 1, function: 2, data: { MDLN: long }, sml: long })
  const result = await run('- { send: S1F1 W, expect: { MDLN: OTHER } }\n')
  const [step] = result.steps
  expect(step?.detail).toMatch(/^MDLN is x{1000}\.\.\. \(cut: it has 1000000 characters\); expected OTHER$/)
  const named = { ...result, steps: result.steps.map((one) => ({ ...one, title: long })) }
  expect(junitReport(named)).toMatch(/x{2000}\.\.\. \(cut: it has 1000000 characters\)"/)
  const message = {
    id: '1',
    direction: 'received',
    stream: 1,
    function: 2,
    at: '2026-01-01T00:00:00Z',
    sml: long,
    name: 'S1F2',
    data: { MDLN: long },
  }
  const steps = result.steps.map((one) => ({ ...one, after: 0, last: 1 }))
  const page = htmlReport({ ...result, steps }, [message as unknown as LadderMessage])
  expect(page).toContain('x... (cut: it has 1000000 characters)</pre>')
  expect(page.length).toBeLessThan(100_000)
})

test('after a precondition that is not met nothing runs, not even a group', async () => {
  const steps =
    '- { send: S1F1 W, precondition: true, expect: { MDLN: OTHER } }\n- { group: A, steps: [ { wait: 1s } ] }'
  expect(verdicts(await run(steps))).toEqual(['1 inconclusive', '2 skipped'])
})

describe('names that the equipment does not have', () => {
  const names = {
    events: ['3010', 'Started'],
    status: ['1', 'Pressure'],
    data: ['7', 'LotID'],
    constants: ['9', 'Limit'],
  }
  const head = 'set: { name: Started }\nnever: [ S9, { event: Melted } ]'

  test.each([
    ['- expect: { event: Strated }', 6],
    ['- repeat: { values: [Started, Ended] }\n  steps:\n    - expect: { event: "{row}" }', 8],
    ['- expect: { event: started, where: { LotId: 1 } }', 6],
    ['- expect: { event: 3010, capture: { x: Lot } }', 6],
    ['- read: Presure', 6],
    ['- group: G\n  never: [ { event: Burnt } ]\n  steps: [ { wait: 1s } ]', 7],
  ])('%s cannot pass: nothing is sent', async (steps, line) => {
    site.names = names
    await expect(
      run(`${steps}\n- command: START`, 'set: { name: Started }\nnever: [ S9 ]'),
    ).rejects.toMatchObject({
      problems: [{ file: 'lot.yaml', line, detail: expect.stringContaining('the equipment has no') }],
    })
    expect(site.commands).toEqual([])
  })

  test('a scenario may name in never only events that there are', async () => {
    site.names = names
    await expect(run('- command: START', head)).rejects.toMatchObject({
      problems: [{ line: 4, column: 23 }],
    })
  })

  test.each([
    [
      'an id that is not listed',
      names,
      '- expect: { event: 999, within: 1s, where: { LotID: 1, 88: 1, CEID: 1 } }',
    ],
    [
      'a value that has to be absent',
      names,
      '- expect: { event: Started, within: 1s, where: { x: { present: false } } }',
    ],
    ['names as the gateway takes them', names, '- read: pressure\n- read: limit'],
    [
      'a name that a step captures',
      names,
      '- command: START\n  capture: { name: HCACK }\n- expect: { event: "{name}", within: 1s }',
    ],
    [
      'lists that the gateway does not have',
      { ...names, events: [], data: [] },
      '- expect: { event: Strated, within: 1s, where: { x: 1 } }',
    ],
  ])('%s is no mistake', async (_, known, steps) => {
    site.names = known
    expect((await run(steps, 'set: { name: Strated }')).steps.length).toBeGreaterThan(0)
  })
})

describe('what an outsider broke', () => {
  test('a variable whose step did not pass has no value: nothing is sent, and the step is inconclusive', async () => {
    const steps = `
- group: A
  steps: [ { read: P, is: 1 }, { send: S1F1 W, capture: { lot: MDLN } } ]
- group: B
  steps: [ { command: START, with: { LOTID: '{lot}' } } ]`
    expect(verdicts(await run(steps))).toEqual(['1.1 failed', '1.2 skipped', '2.1 inconclusive'])
    expect(site.commands).toEqual([])
  })

  test('what a used file did not capture has no value either', async () => {
    const other =
      'secsctl: 1\nname: y\nsteps: [ { read: P, is: 1 }, { send: S1F1 W, capture: { lot: MDLN } } ]'
    const steps = `
- group: A
  steps: [ { use: other, capture: { lot: lot } } ]
- group: B
  steps: [ { command: START, with: { LOTID: '{lot}' } } ]`
    const result = await run(steps, '', {}, { other })
    expect(verdicts(result)).toEqual(['1.1.1 failed', '1.1.2 skipped', '2.1 inconclusive'])
    expect(site.commands).toEqual([])
  })

  test('an interrupted run is inconclusive at once, and its other steps are skipped', async () => {
    const text = 'secsctl: 1\nname: x\nsteps: [ { wait: 1h }, { group: A, steps: [ { wait: 1s } ] } ]'
    const over = new AbortController()
    const running = runScenario(
      readScenario('x', (path) => ({ path, text })),
      'etcher',
      site,
      {
        ...{ clock, signal: over.signal, operator: async () => true },
      },
    )
    await until(() => clock.scheduled > 0)
    over.abort()
    const result = await running
    expect([result.verdict, ...verdicts(result)]).toEqual(['inconclusive', '1 inconclusive', '2 skipped'])
  })

  test('reply: none passes where none comes, and fails where one does', async () => {
    expect(details(await run('- { send: S1F1 W, reply: none }'))).toEqual([
      expect.stringMatching(/S1F2 came/),
    ])
    site.reply = () => {
      throw new Problem('reply_timeout', 'No reply.')
    }
    expect((await run('- { send: S1F1 W, reply: none }')).verdict).toBe('passed')
  })

  test('an expectation while the link is down is inconclusive', async () => {
    site.connection = 'CONNECTING'
    const result = await run('- expect: { event: Started }')
    expect([result.verdict, ...details(result)]).toEqual([
      'inconclusive',
      'the link to the equipment is down',
    ])
  })

  test.each([
    ['no value', undefined],
    ['an empty list', { name: null, value: null, text: '' }],
    ['an item of no length, and no name', { name: null, value: { U4: [] }, text: '' }],
    ['a list of no length, and no name', { name: null, value: { U4: [] }, text: '[]' }],
  ])('a variable for which the equipment gives %s is not known to it', async (_, value) => {
    site.value = value
    const detail = expect.stringContaining('the equipment does not know the variable P')
    for (const step of ['- read: P', '- { read: P, is: { not: 5 } }', '- { read: P, is: { type: text } }'])
      expect((await run(step)).steps).toEqual([expect.objectContaining({ verdict: 'failed', detail })])
    for (const is of value?.value ? ['{ length: 0 }', '""'].slice(value.text.length) : ['{ present: false }'])
      expect((await run(`- { read: P, is: ${is} }`)).verdict).toBe('passed')
  })

  test('a variable with a name may be empty', async () => {
    site.value = { name: 'P', value: { A: '' }, text: '' }
    expect((await run('- read: P')).verdict).toBe('passed')
  })

  test('a value that is missing satisfies no `not`', async () => {
    expect((await run('- { send: S64F1 W, expect: { NOPE: { not: 5 } } }')).verdict).toBe('failed')
  })

  test('a reading and a pause do not hide what came before them', async () => {
    site.onCommand = () => site.reported('Started')
    expect((await run('- command: START\n- read: P\n- wait: 1s\n- expect: { event: Started }')).verdict).toBe(
      'passed',
    )
  })

  test('values of the command line are texts, unless the variable of the file is a number', async () => {
    const head = 'set: { lot: L1, count: 1 }'
    await run("- command: START\n  with: { LOTID: '{lot}', COUNT: '{count}' }", head, {
      lot: '0017',
      count: '5',
    })
    expect(site.commands).toEqual([{ command: 'START', parameters: { LOTID: '0017', COUNT: 5 } }])
    await expect(run('- wait: 1s', head, { count: '0x5' })).rejects.toThrow(/"0x5" is not a number/)
  })
})
