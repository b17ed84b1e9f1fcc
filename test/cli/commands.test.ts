import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Preview } from '../../src/contract/topics/preview.js'
import { type FakeCall, FakeGateway, problem, served } from '../support/fake-gateway.js'
import { sampleEquipment } from '../support/sample-equipment.js'
import { Secsctl } from '../support/secsctl.js'

const secsctl = new Secsctl()
const equipment = sampleEquipment()
const down = sampleEquipment({
  id: 'eq_down000000',
  name: 'coater',
  connection_state: 'CONNECTING',
  communication_state: 'NOT_COMMUNICATING',
  last_error: { code: 'connection_refused', detail: 'nothing listens there', at: '2026-03-01T08:00:00.000Z' },
})
const message = (change: object) => ({
  id: '7',
  equipment_id: equipment.id,
  direction: 'received',
  stream: 2,
  function: 42,
  name: 'S2F42 Host Command Acknowledge',
  w_bit: false,
  session_id: 0,
  system_bytes: 1,
  data: { HCACK: '2' },
  body: { L: [{ B: [2] }, { L: [] }] },
  sml: 'S2F42\n<L [2]\n  <B 0x02>\n  <L [0]>\n>.',
  at: '2026-03-01T08:00:00.000Z',
  collection_event: null,
  reply_to: '6',
  ...change,
})
const page = (...items: unknown[]) => ({ body: { items, next_cursor: null } })

const STEERING = '\x1b[2J\x1b]0;pwn\x07\x9b31m\u202e'

/** Replies that are not what they should be. */
const REPLIES: Readonly<Record<string, object>> = {
  S1F5: {
    ...{ stream: 1, function: 6, name: 'S1F6', data: null, body: null, sml: null },
    ...{ raw: '010203', decode_error: 'format code 0 has no length bytes (at byte 2)' },
  },
  S1F7: { stream: 1, function: 2, name: 'S1F2', data: null, body: { A: 'x' }, sml: 'S1F2\n<A "x">.' },
}

/** Values of ids, of which the equipment has none above 1000. */
const valuesOf = (query: URLSearchParams): object[] =>
  query.getAll('id').map((id) => {
    const has = Number(id) <= 1000
    return { id, name: null, unit: null, value: has ? { U4: [1] } : null, text: has ? '1' : '' }
  })

const DONE = {
  ceid: '200',
  name: 'Done',
  reports: [{ rptid: '1', values: [{ vid: '7', name: 'Lot', unit: null, value: 'L1' }] }],
}

/** How the wait for an event ends, by its name. */
const EVENT_ENDS: Readonly<Record<string, readonly [string, object | null]>> = {
  Done: ['arrived', message({ id: '9', function: 11, stream: 6, collection_event: DONE })],
  Never: ['not_in_time', null],
  Lost: ['connection_lost', null],
}

const NO_SUCH_ITEM = { pointer: '/message/data/NOSUCH', detail: 'is no item of S1F3' }

const gateway = new FakeGateway({
  'GET /equipment': () => page(equipment, down),
  [`PUT /equipment/${equipment.id}`]: () => ({ body: equipment }),
  'POST /equipment': ({ body }) => ({ status: 201, body: sampleEquipment(body as object) }),
  'GET /events': () => page(),
  'GET /messages/8': ({ query }) => ({
    body: message({ id: '8', ...(query.get('raw') === 'true' && { raw: '0100' }) }),
  }),
  'GET /messages/9': () => ({ body: message({ id: '9', ...REPLIES['S1F5'] }) }),
  'GET /alarms': () =>
    page({
      ...{ id: '7', equipment_id: equipment.id, alid: '42', text: STEERING, category: 1 },
      ...{ category_text: 'Personal safety', active: true, set_at: '2026-03-01T08:00:00.000Z' },
      ...{ cleared_at: null, count: 1, acknowledged: false, acknowledged_by: null },
      ...{ acknowledged_at: null, comment: null },
    }),
  'GET /messages': (call) => ({
    body: {
      items: Array.from({ length: Number(call.query.get('limit')) }, (_, at) => message({ id: String(at) })),
      next_cursor: 'more',
    },
  }),
  [`POST /equipment/${equipment.id}/connect`]: () => ({ body: equipment }),
  [`POST /equipment/${down.id}/connect`]: () => ({ status: 202, body: down }),
  [`POST /equipment/${equipment.id}/messages/preview`]: ({ body }) => {
    const { message, command } = body as Preview
    return message?.data?.['NOSUCH'] === 1
      ? { status: 400, body: { ...problem(400, 'invalid_message', 'wrong'), errors: [NO_SUCH_ITEM] } }
      : { body: { stream: 1, function: 3, sml: JSON.stringify(message ?? command), hex: '01' } }
  },
  [`POST /equipment/${equipment.id}/messages`]: ({ body }) => {
    const { stream, function: fn } = body as { stream?: number; function?: number }
    if (stream === 1 && fn === 1) {
      const reply = { stream: 1, function: 2, name: 'S1F2', data: {}, body: { L: [] }, sml: 'S1F2\n<L [0]>.' }
      return { body: { message: message({ id: '6', latency_ms: 12.4 }), reply: message(reply) } }
    }
    const answered = REPLIES[`S${stream}F${fn}`]
    if (answered) return { body: { message: message({ id: '6' }), reply: message(answered) } }
    if (stream === 1) return { status: 504, body: problem(504, 'reply_timeout', 'etcher did not reply.') }
    const acknowledgement = { item: 'HCACK', code: 2, accepted: false, text: 'cannot perform now' }
    return { body: { message: message({ id: '6' }), reply: message({}), acknowledgement } }
  },
  [`POST /equipment/${equipment.id}/command`]: ({ body }) => {
    const { command, wait_for_reply = true } = body as { command: string; wait_for_reply?: boolean }
    if (!wait_for_reply) {
      const unknown = { accepted: null, hcack: null, hcack_text: null, cmda: null, cmda_text: null }
      return { status: 202, body: { command, ...unknown, parameters: [], message_id: '6', reply_id: null } }
    }
    const accepted = command === 'START'
    const unreadable = command === 'GARBLE' && { hcack: null, hcack_text: null }
    const hcack = accepted
      ? { hcack: 4, hcack_text: 'will finish later' }
      : { hcack: 1, hcack_text: 'no such command' }
    const { wait_event } = body as { wait_event?: string }
    const [event_outcome, event] = EVENT_ENDS[wait_event ?? ''] ?? [undefined, null]
    return {
      body: {
        ...(body as object),
        event_outcome: accepted ? event_outcome : event_outcome && 'refused',
        event: accepted ? event : null,
        accepted,
        ...hcack,
        ...unreadable,
        parameters: [],
        message_id: '6',
        reply_id: '7',
      },
    }
  },
  'POST /auth/login': ({ body }) =>
    (body as { password: string }).password === 'correct horse battery'
      ? {
          body: {
            token: 'fresh',
            expires_at: '2999-01-01T00:00:00.000Z',
            user: { id: 'usr_1', email: 'ann@fab.example', name: 'Ann', role: 'admin' },
          },
        }
      : { status: 401, body: problem(401, 'invalid_credentials', 'Email or password is wrong.') },
  'POST /auth/refresh': () => ({
    body: {
      token: 'fresh',
      expires_at: '2999-01-01T00:00:00.000Z',
      user: { id: 'usr_1', email: 'ann@fab.example', name: 'Ann', role: 'admin' },
    },
  }),
  'POST /auth/logout': () => ({ status: 204 }),
  [`GET /equipment/${equipment.id}/variables/values`]: ({ query }) => page(...valuesOf(query)),
  [`GET /equipment/${equipment.id}/constants/values`]: ({ query }) => page(...valuesOf(query)),
  [`GET /equipment/${equipment.id}/reports/9/values`]: () => ({
    body: { rptid: '9', values: [], message_id: '6', reply_id: '7' },
  }),
  'GET /readyz': () => ({ body: { status: 'ok' } }),
  'GET /users/me': ({ headers }) =>
    headers['authorization'] === 'Bearer fresh'
      ? {
          body: {
            id: 'usr_1',
            email: 'ann@fab.example',
            name: 'Ann',
            role: 'admin',
            created_at: '2026-03-01T08:00:00.000Z',
          },
        }
      : { status: 401, body: problem(401, 'token_expired', 'The token has expired.') },
})
const env = served(gateway, secsctl)

const run = (...args: string[]) => secsctl.run(args, { env })
const sent = (path: string): FakeCall | undefined => gateway.calls.find((call) => call.path.endsWith(path))

describe('results', () => {
  test('in a pipe are tab-separated values, equipment by name', async () => {
    const { code, stdout, stderr } = await run('equipment', 'list')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const names = stdout.split('\n').map((line) => line.split('\t')[1])
    expect(names).toEqual(['coater', 'etcher', undefined])
    expect(stdout.split('\n')[1]).toBe(
      'eq_7f3k2m9qta\tetcher\t10.0.0.5:5000\tpassive\tSELECTED\tCOMMUNICATING\tONLINE_REMOTE\tok\t\t\t\t\t\t',
    )
  })

  test('with --json are what the API gave, a list as an array', async () => {
    const { stdout } = await run('eq', 'list', '--json')
    expect(JSON.parse(stdout)).toEqual([equipment, down])
    expect(gateway.calls[0]?.headers['authorization']).toBe('Bearer secret')
  })

  test('with SECSCTL_OUTPUT=json too, and a flag wins over it', async () => {
    const asJson = { ...env, SECSCTL_OUTPUT: 'json' }
    expect(JSON.parse((await secsctl.run(['equipment', 'show', 'etch'], { env: asJson })).stdout)).toEqual(
      equipment,
    )
    const { stdout } = await secsctl.run(['equipment', 'show', 'etch', '-o', 'tsv'], { env: asJson })
    expect(stdout).toContain('who dials\tThe equipment listens at 10.0.0.5:5000, and the gateway dials it.\n')
  })

  test('that fill several pages are followed to the limit', async () => {
    const { stdout } = await run('messages', 'list', '--limit', '1200', '--json')
    expect(JSON.parse(stdout)).toHaveLength(1200)
    expect(gateway.calls.map((call) => [call.query.get('limit'), call.query.get('cursor')])).toEqual([
      ['1000', null],
      ['200', 'more'],
    ])
  })

  test('are cut off quietly when nobody reads on', async () => {
    const child = secsctl.start(['messages', 'list', '--limit', '5000', '--json'], env)
    let stderr = ''
    child.stderr?.on('data', (text) => {
      stderr += text
    })
    child.stdout?.once('data', () => child.stdout?.destroy())
    const code = await new Promise((resolve) => child.once('close', resolve))
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })
})

describe('send', () => {
  test('prints the reply as SML, and the rest on standard error', async () => {
    const { code, stdout, stderr } = await run(
      'send',
      'etcher',
      'S1F1',
      '--idempotency-key',
      'once',
      '--timeout',
      '500ms',
    )
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: 'S1F2\n<L [0]>.\n',
      stderr: 'S1F2, after 12 ms\n',
    })
    const call = sent('/messages')
    expect(call?.body).toEqual({ stream: 1, function: 1 })
    expect(call?.query.get('timeout')).toBe('0.5')
    expect(call?.headers['idempotency-key']).toBe('once')
  })

  test.each([
    [['S1F3', 'SVID=1,2'], { stream: 1, function: 3, data: { SVID: ['1', '2'] } }],
    [
      ['S2F41', 'RCMD=START', 'PARAMS:=[{"CPNAME":"A","CPVAL":1}]'],
      { stream: 2, function: 41, data: { RCMD: 'START', PARAMS: [{ CPNAME: 'A', CPVAL: 1 }] } },
    ],
    [['S1F3 W <L <U4 1>>.'], { sml: 'S1F3 W <L <U4 1>>.' }],
    [
      ['S6F23', 'RSDC=0', '--no-wait'],
      { stream: 6, function: 23, data: { RSDC: '0' }, wait_for_reply: false },
    ],
  ])('%j asks for %j', async (args, body) => {
    await run('send', 'etcher', ...args)
    expect(sent('/messages')?.body).toEqual(body)
  })

  test('takes SML from standard input', async () => {
    await secsctl.run(['send', 'etcher', '-'], { env, input: 'S1F1 W.' })
    expect(sent('/messages')?.body).toEqual({ sml: 'S1F1 W.' })
  })

  test('ends with 8 when the reply says no, and prints it all the same', async () => {
    const { code, stdout, stderr } = await run('send', 'etcher', 'S2F41', 'RCMD=STOP', '--json')
    expect(code).toBe(8)
    expect(JSON.parse(stdout)).toMatchObject({ reply: { function: 42 } })
    expect(stderr).toBe('')
    expect((await run('send', 'etcher', 'S2F41', 'RCMD=STOP')).stderr).toContain('etcher refused: HCACK 2')
  })

  test('ends with 8 when the reply is no SECS-II, says why, and prints its bytes', async () => {
    expect(await run('send', 'etcher', 'S1F5 W.', '--json')).toMatchObject({ code: 8, stderr: '' })
    expect(await run('send', 'etcher', 'S1F5', 'SFCD=1')).toEqual({
      code: 8,
      stdout: '/* S1F6 is not valid SECS-II: 010203 */\n',
      stderr: expect.stringContaining('not valid SECS-II: format code 0 has no length bytes (at byte 2)'),
    })
  })

  test('says when a reply is not what the catalogue says of it, which is no failure', async () => {
    const { code, stdout, stderr } = await run('send', 'etcher', 'S1F7', 'SFCD=1')
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'S1F2\n<A "x">.\n' })
    expect(stderr).toContain('does not match the catalogue')
  })

  test('ends with 7 when no reply came, with the problem as it was answered', async () => {
    const { code, stdout, stderr } = await run('send', 'etcher', 'S1F3', 'SVID=1', '--json')
    expect({ code, stdout }).toEqual({ code: 7, stdout: '' })
    expect(JSON.parse(stderr)).toEqual({
      ...problem(504, 'reply_timeout', 'etcher did not reply.'),
      hint: 'secsctl equipment show etcher',
    })
    expect((await run('send', 'etcher', 'S1F3', 'SVID=1')).stderr).toContain(
      'Try: secsctl equipment show etcher',
    )
  })

  test('--dry-run prints what the gateway would send, and sends nothing', async () => {
    const { code, stdout } = await run('send', 'etcher', 'S1F3', 'SVID=1', '--dry-run')
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^\{"stream":1,"function":3,.*SVID.*\}\n\n01\n$/),
    ])
    const command = await run('command', 'etcher', 'START', 'LOTID=L1', '--dry-run', '--json')
    expect(JSON.parse(command.stdout)).toEqual({
      sml: '{"command":"START","parameters":{"LOTID":"L1"}}',
      hex: '01',
    })
    expect([sent('/messages'), sent('/command')]).toEqual([undefined, undefined])
    const wrong = await run('send', 'etcher', 'S1F3', 'NOSUCH:=1', '--dry-run')
    expect(wrong).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('NOSUCH is no item') })
  })

  test('to equipment that nobody knows ends with 3, to one of several with 2', async () => {
    expect(await run('send', 'stepper', 'S1F1')).toMatchObject({ code: 3, stdout: '' })
    expect(await run('send', 'eq_', 'S1F1')).toMatchObject({ code: 2, stdout: '' })
  })
})

test.each([
  ['START', 'Done', 0, /Done[\s\S]*Lot\s+L1/],
  ['START', 'Never', 7, /not in time/],
  ['START', 'Lost', 8, /connection lost/],
  ['DANCE', 'Done', 8, /refused/],
])('command %s waits for the event %s: exit code %i', async (command, event, code, text) => {
  const result = await run('command', 'etcher', command, '--wait-event', event, '--within', '5m')
  expect(result.code).toBe(code)
  expect(result.stdout).toMatch(text)
  const { body } = gateway.calls.findLast(({ path }) => path.endsWith('/command')) ?? {}
  expect(body).toMatchObject({ wait_event: event, within: 300 })
})

test('command ends with 0 for HCACK 4 and with 8 for 1', async () => {
  const started = await run('command', 'etcher', 'START', 'LOTID=L1', 'COUNT:=3')
  expect(started).toMatchObject({ code: 0, stderr: '' })
  expect(started.stdout).toContain('HCACK\t4 will finish later\n')
  expect(sent('/command')?.body).toEqual({ command: 'START', parameters: { LOTID: 'L1', COUNT: 3 } })
  expect(await run('command', 'etcher', 'DANCE', '--json')).toMatchObject({ code: 8, stderr: '' })
})

test('command --no-wait shows the message that was sent, and ends with 0', async () => {
  expect(await run('command', 'etcher', 'LATER', '--no-wait')).toEqual({
    code: 0,
    stdout: 'command\tLATER\nmessage\t6\n',
    stderr: 'sent as message 6. Its end: secsctl messages show 6\n',
  })
  expect(sent('/command')?.body).toEqual({ command: 'LATER', parameters: {}, wait_for_reply: false })
  const { stdout } = await run('command', 'etcher', 'LATER', '--no-wait', '--json')
  expect(JSON.parse(stdout)).toMatchObject({ accepted: null, message_id: '6', reply_id: null })
})

test('command whose reply cannot be read says that nobody knows, and where to look', async () => {
  const { code, stdout, stderr } = await run('command', 'etcher', 'GARBLE')
  expect({ code, stderr }).toEqual({
    code: 8,
    stderr:
      'the reply cannot be read (message 7): whether etcher acted is not known\nTry: secsctl messages show 7\n',
  })
  expect(stdout).toContain('result\tnot known\n')
})

test('messages show --hex prints the bytes of any body', async () => {
  const shown = await run('messages', 'show', '8', '--hex', '-o', 'sml')
  expect(shown.stdout).toMatch(/\n\n0100\n$/)
  expect((await run('messages', 'show', '8', '--hex')).stdout).toContain('\nraw\t0100\n')
  expect((await run('messages', 'show', '8')).stdout).not.toContain('0100')
})

test('messages show prints the bytes of a body that cannot be read', async () => {
  expect((await run('messages', 'show', '9')).stdout).toContain('\nraw\t010203\n')
  expect((await run('messages', 'show', '9', '-o', 'sml')).stdout).toBe(
    '/* S1F6 is not valid SECS-II: 010203 */\n',
  )
})

test('what equipment says does not steer the terminal', async () => {
  const { stdout } = await run('alarms', 'list')
  expect(stdout).toContain('\t\\x1b[2J\\x1b]0;pwn\\x07\\x9b31m\\u202e\t')
  const { stderr } = await run('equipment', 'show', STEERING)
  expect(stderr).toContain('\\x1b[2J')
  expect(stderr.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202E]/u)
  expect(JSON.parse((await run('alarms', 'list', '--json')).stdout)).toMatchObject([{ text: STEERING }])
})

describe('equipment connect', () => {
  test('waits, and prints the record', async () => {
    const { code, stdout } = await run('equipment', 'connect', 'etcher', '--wait', '2m', '--json')
    expect({ code, records: JSON.parse(stdout) }).toEqual({ code: 0, records: [equipment] })
    // What is left of it: a busy machine has used some before the call.
    expect(Number(sent('/connect')?.query.get('wait'))).toBeGreaterThan(30)
  })

  test('ends with 7 when it is not there in time, and says why and who dials', async () => {
    const { code, stdout, stderr } = await run('equipment', 'connect', 'coater', '--wait', '50ms')
    expect({ code, stdout }).toEqual({ code: 7, stdout: '' })
    expect(stderr).toContain('connection_refused: nothing listens there')
    expect(stderr).toContain('The equipment listens at 10.0.0.5:5000, and the gateway dials it.')
  })

  test('of several prints those that are there, and then why the others are not', async () => {
    const several = ['equipment', 'connect', '--all', '--wait', '50ms']
    const { code, stdout, stderr } = await run(...several)
    expect(code).toBe(7)
    expect(stdout.split('\n').map((line) => line.split('\t')[1])).toEqual(['etcher', undefined])
    expect(stderr).toContain('coater did not connect within 0.05 s (connection_refused')
    const json = await run(...several, '--json')
    expect(json.code).toBe(7)
    expect(JSON.parse(json.stdout)).toMatchObject([{ name: 'etcher' }])
  })

  test('of several says one line about each, and a summary', async () => {
    const { stderr } = await run('equipment', 'connect', '--all', '--wait', '50ms')
    const lines = stderr.split('\n').filter((line) => !/^(Try|Why): /.test(line) && line !== '')
    expect(lines).toEqual([
      'etcher: communicating, ONLINE_REMOTE',
      '1 of 2 communicate.',
      expect.stringContaining('etcher, coater have the same address'),
      expect.stringContaining('coater did not connect'),
    ])
    expect(gateway.calls.filter(({ path }) => path === '/events')).toEqual([])
  })

  test('with --wait 0s does not wait', async () => {
    expect(await run('equipment', 'connect', 'coater', '--wait', '0s')).toMatchObject({ code: 0 })
  })
})

test.each([
  [['--tap-listen', '6000', '--tap-host', '10.0.0.8'], { listen_port: 6000, host_address: '10.0.0.8' }],
  [['--tap-host', '10.0.0.8:5000'], { host_address: '10.0.0.8', host_port: 5000 }],
  [['--tap-reads', 'all', '--no-tap-writes'], { reads: 'all', writes: false }],
  [['--no-tap'], null],
])('equipment add with %j taps it by %j', async (flags, tap) => {
  await run('equipment', 'add', 'x', '--address', '10.0.0.9:5001', ...flags)
  expect(sent('/equipment')?.body).toEqual({ name: 'x', ip_address: '10.0.0.9', port: 5001, tap })
})

test('equipment add says what it was told, and nothing else', async () => {
  await run(
    'equipment',
    'add',
    'x',
    '--address',
    '10.0.0.9:5001',
    '--mode',
    'active',
    '--timer',
    't3=500ms',
    '--timer',
    'linktest=0',
    '--linktest-mode',
    'idle',
    '--no-gem-startup',
    '--format',
    'SVID=U2',
    '--label',
    'area=etch',
    '--label',
    'spare=',
  )
  expect(sent('/equipment')?.body).toEqual({
    name: 'x',
    ip_address: '10.0.0.9',
    port: 5001,
    mode: 'active',
    timers: { t3: 0.5, linktest: 0 },
    linktest_mode: 'idle',
    gem_startup: false,
    item_formats: { SVID: 'U2' },
    labels: { area: 'etch', spare: '' },
  })
  expect(await run('equipment', 'add', 'x', '--address', '10.0.0.9')).toMatchObject({ code: 2, stdout: '' })
})

test('labels are given, changed and removed', async () => {
  expect(await run('equipment', 'update', 'etcher', '--label', 'bay=4', '--label', 'spare-')).toMatchObject({
    code: 0,
  })
  expect(sent(`/equipment/${equipment.id}`)?.body).toEqual({ labels: { bay: '4', spare: null } })
  const wrong: readonly (readonly [string[], string])[] = [
    [['update', 'etcher', '--label', 'bay'], '--label takes KEY=VALUE, not "bay"'],
    [['update', 'etcher', '--label', 'bay=3,4'], '--label bay=3,4: "3,4" is not a label value'],
    [['update', 'etcher', '--label', '-=3'], '"-" is not a label key'],
    [['update', 'etcher', '--label', 'bay=3', '--label', 'bay-'], '--label bay is given twice'],
    [['add', 'x', '--address', '10.0.0.9:5001', '--label', 'bay-'], 'new equipment has none'],
  ]
  for (const [args, message] of wrong) {
    const { code, stderr } = await run('equipment', ...args)
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) })
  }
})

test('api asks for no login where the gateway asks for none', async () => {
  const given = ['--url', env['SECSCTL_URL'] ?? '']
  expect(await secsctl.run(['api', 'GET', '/readyz', ...given])).toMatchObject({ code: 0 })
  expect(await secsctl.run(['api', 'GET', '/equipment', ...given])).toMatchObject({ code: 4, stdout: '' })
})

test('api prints any answer, and fails as the API does', async () => {
  expect(JSON.parse((await run('api', 'get', '/equipment')).stdout)).toMatchObject({ next_cursor: null })
  const { code, stdout, stderr } = await run('api', 'GET', '/nowhere', '--json')
  expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
  expect(JSON.parse(stderr)).toMatchObject({ code: 'not_found' })
})

describe('login', () => {
  const password = 'correct horse battery'

  test('keeps the token in a file of mode 0600, and logout forgets it', async () => {
    const own = new Secsctl()
    try {
      const url = env['SECSCTL_URL'] ?? ''
      const login = ['login', '--url', url, '--email', 'ann@fab.example', '--password-stdin']
      const logged = await own.run(login, { input: `${password}\n` })
      expect(logged).toMatchObject({ code: 0 })
      expect(logged.stdout + logged.stderr).not.toContain(password)
      const file = join(own.home, 'config', 'tokens.json')
      expect(statSync(file).mode & 0o777).toBe(0o600)
      expect(readFileSync(file, 'utf8')).not.toContain(password)
      expect(JSON.parse((await own.run(['whoami', '--json'])).stdout)).toMatchObject({
        email: 'ann@fab.example',
        url,
        token_source: 'file',
      })
      expect(await own.run(['logout'])).toMatchObject({ code: 0 })
      expect(await own.run(['whoami'])).toMatchObject({ code: 4, stdout: '' })
    } finally {
      own.remove()
    }
  })

  test('that ends soon is exchanged by the next command, and kept', async () => {
    const own = new Secsctl()
    try {
      const url = env['SECSCTL_URL'] ?? ''
      await own.run(['profiles', 'add', 'fab', '--url', url])
      const soon = new Date(Date.now() + 600_000).toISOString()
      const tokens = join(own.home, 'config', 'tokens.json')
      writeFileSync(
        tokens,
        JSON.stringify({ [`fab ${url}`]: JSON.stringify({ token: 'old', expires_at: soon }) }),
        { mode: 0o600 },
      )
      expect(await own.run(['whoami', '--profile', 'fab'])).toMatchObject({ code: 0, stderr: '' })
      expect(sent('/auth/refresh')?.headers['authorization']).toBe('Bearer old')
      expect(readFileSync(tokens, 'utf8')).toContain('fresh')
    } finally {
      own.remove()
    }
  })

  test('with a wrong password ends with 4 and keeps nothing', async () => {
    const given = { env: { ...env, SECSCTL_PASSWORD: 'wrong' } }
    expect(await secsctl.run(['login', '--email', 'ann@fab.example'], given)).toMatchObject({
      code: 4,
      stdout: '',
    })
    const profiles = await secsctl.run(['profiles', 'list', '--json'])
    expect(JSON.parse(profiles.stdout)).toMatchObject([{ name: 'local' }])
  })

  test('without a password, where nobody can be asked, ends with 2 and names the flag', async () => {
    const { code, stderr } = await secsctl.run(['login', '--email', 'a@b'], { env })
    expect(code).toBe(2)
    expect(stderr).toContain('--password-stdin')
  })

  test('is needed: without a token a call ends with 4', async () => {
    const { code, stderr } = await secsctl.run(['equipment', 'list', '--url', env['SECSCTL_URL'] ?? ''])
    expect(code).toBe(4)
    expect(stderr).toContain('secsctl login')
  })

  test('has ended: a refused token ends with 4', async () => {
    expect(await run('whoami')).toMatchObject({ code: 4, stdout: '' })
  })
})

test('equipment remove with --yes takes no beginning of a name', async () => {
  expect(await run('equipment', 'remove', 'etch', '--yes')).toMatchObject({ code: 2, stdout: '' })
  expect(gateway.calls.filter(({ method }) => method === 'DELETE')).toEqual([])
})

describe('what the equipment does not have ends with 3 after what it has', () => {
  test.each([
    ['variables show etcher 1 9998 9999', 'etcher has no status variable 9998, 9999'],
    ['constants show etcher 1 9999', 'etcher has no constant 9999'],
    ['reports request etcher 9', 'etcher has no report 9'],
  ])('%s', async (line, detail) => {
    const [plain, json] = await Promise.all([run(...line.split(' ')), run(...line.split(' '), '--json')])
    expect([plain.code, json.code]).toEqual([3, 3])
    expect(plain.stderr).toMatch(new RegExp(`^Error: ${detail}\nTry: secsctl .* etcher\n$`))
    expect(plain.stdout).toMatch(line.startsWith('reports') ? /^$/ : /^1\t\t1\t\n9/)
    expect(JSON.parse(json.stdout)).toBeTruthy()
    expect(json.stderr.trimEnd().split('\n')).toHaveLength(1)
    expect(JSON.parse(json.stderr)).toMatchObject({ code: 'missing', detail, hint: expect.any(String) })
  })
})

test('a name that no equipment has is the same error here as in the gateway', async () => {
  const { code, stderr } = await run('equipment', 'show', 'nosuch', '--json')
  expect({ code, problem: JSON.parse(stderr) }).toEqual({
    code: 3,
    problem: {
      ...{ type: 'about:blank', title: 'There is no such equipment', status: 404 },
      ...{ code: 'equipment_not_found', detail: 'There is no equipment "nosuch".' },
      hint: 'secsctl equipment list',
    },
  })
})

test.each([
  'events wait --timeout abc',
  'events tail --since tomorrow',
  'variables show etcher --timeout 5',
  'messages list --until soon',
])('%s is told before the gateway is asked', async (line) => {
  expect(await run(...line.split(' '))).toMatchObject({ code: 2, stdout: '' })
  expect(gateway.calls).toEqual([])
})

test('what answers a login with something else is not a gateway', async () => {
  const other = new FakeGateway({ 'POST /auth/login': () => ({ body: {} }) })
  try {
    const given = ['--url', await other.listen(), '--email', 'ann@fab.example', '--password-stdin']
    const { code, stderr } = await secsctl.run(['login', ...given], { input: 'secret\n' })
    expect({ code, stderr }).toEqual({ code: 6, stderr: expect.stringContaining('is not a gateway') })
  } finally {
    await other.close()
  }
})
