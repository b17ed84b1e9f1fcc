import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildApp } from '../../src/api/app.js'
import { queryText } from '../../src/client/client.js'
import { systemClock } from '../../src/kit/clock.js'
import { shippedModel } from '../../src/simulator/shipped-models.js'
import { Simulator } from '../../src/simulator/simulator.js'
import {
  type ApiDocument,
  type ApiOperation,
  type ApiSchema,
  filledIn,
  requireDocumented,
} from '../support/api-document.js'
import { PASSWORD, ServedGateway } from '../support/served-gateway.js'
import { LOOPBACK } from '../support/tcp.js'
import { openTestGateway } from '../support/test-gateway.js'
import { breakagesOf } from './broken-request.js'
import { any, valid } from './schema-arbitrary.js'

interface Call {
  readonly operation: ApiOperation
  readonly method: string
  readonly path: string
}

/** What is called: a server on a socket, as callers have it. */
interface World {
  readonly url: string
  token(): Promise<string>
  /** What a generated call is changed to, so that nothing leaves this machine and nobody waits. */
  tame(
    call: Call,
    query: object,
    body: unknown,
  ): readonly [id: string | undefined, query: object, body: unknown]
  close(): Promise<void>
}

const EMAIL = 'ada@example.com'

/** Equipment that is only a record. */
async function recordsWorld(): Promise<World> {
  const gateway = new ServedGateway()
  const app = await gateway.app()
  const url = await app.listen({ port: 0, host: LOOPBACK })
  return {
    url,
    token: () => gateway.tokenOf('admin'),
    tame: (_, query, body) => [undefined, query, body],
    close: () => app.close(),
  }
}

/** The real gateway, with a simulator that communicates. */
async function realWorld(): Promise<World> {
  const model = shippedModel('minimal')
  if (!model) throw new Error('there is no such model')
  const simulator = new Simulator(model, { role: 'passive', host: LOOPBACK, port: 0 }, { clock: systemClock })
  await simulator.start()
  const gateway = await openTestGateway({ admin: { email: EMAIL, password: PASSWORD } })
  const here = { ip_address: LOOPBACK, port: simulator.port, mode: 'passive' } as const
  const { id } = await gateway.equipment.create({ ...here, name: 'etcher' })
  await gateway.equipment.connect(id, 30)
  const app: FastifyInstance = await buildApp(gateway, { clock: systemClock, version: '1.2.3' })
  const url = await app.listen({ port: 0, host: LOOPBACK })
  const keeps = ['deleteEquipment', 'disconnectEquipment', 'updateEquipment']
  return {
    url,
    token: async () =>
      (await gateway.accounts.login({ email: EMAIL, password: PASSWORD }, '192.0.2.1')).token,
    tame({ operation: { operationId: name }, path }, query, body) {
      const own = path.startsWith('/api/v1/equipment/') && !keeps.includes(name) ? id : undefined
      const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
      if (isObject && 'ip_address' in body) return [own, query, { ...body, ...here }]
      if (name === 'connectEquipment') return [own, { ...query, wait: 0.05 }, body]
      if (own !== undefined && 'timeout' in query) return [own, { ...query, timeout: 0.1 }, body]
      return [own, query, body]
    },
    async close() {
      await app.close()
      await gateway.close()
      await simulator.stop()
    },
  }
}

/** Statuses that a valid call may be answered with although they are about who calls: a wrong password. */
const ANSWERS_ALSO: Readonly<Record<string, readonly number[]>> = {
  login: [401, 405, 406, 413, 415],
  changeOwnPassword: [403],
}

/** Values for the parameters of a path; `id` is also for those that have none here. */
interface Ids extends Readonly<Record<string, string>> {
  readonly id: string
}
const IDS = fc.constantFrom('eq_1', '1', '7', 'nobody', '__proto__', 'a/b', '...', '%00', 'é', 'x'.repeat(65))
/** Those that take one thing or another, which the schema does not say. */
const IN_PROSE = [
  ...[
    'previewMessage',
    'sendMessage',
    'createEquipment',
    'updateEquipment',
    'sendCommand',
    'setClock',
    'sendTerminalText',
  ],
  // What can be no ALID of the equipment.
  'shelveAlarm',
  // A time to come.
  'createKey',
  ...['enableCollectionEvents', 'disableCollectionEvents', 'enableAlarms', 'disableAlarms', 'storeRecipe'],
  ...['unlockEquipment', 'createSink', 'updateSink', 'applyEquipment', 'clearLimits'],
  // IDs and slots, and either carriers or substrates.
  ...['createProcessJob', 'createControlJob', 'commandControlJob', 'commandCarrier'],
  // States, and names that equipment has.
  'applyGem300',
  // A time that has begun.
  'getPerformance',
  // Attributes that are items; a query that is not left out.
  ...['setObjects', 'createObject', 'getObjects', 'deleteObject'],
  // A name of equipment that is registered.
  ...[
    'listMessages',
    'listAlarms',
    'getAlarmSummary',
    'listShelvedAlarms',
    'listEvents',
    'streamEvents',
    'exportJournal',
    'listAudit',
    ...['listKnownCarriers', 'listKnownJobs', 'listKnownSubstrates'],
  ],
]
/** Those of the identity provider, whose standards say that what is not known is ignored. */
const OF_PROVIDER = ['returnFromSignOn', 'endSignOnAtProvider']

interface TimeRange {
  readonly from?: string
  readonly to?: string
}
/** What no schema says: `from` is not later than `to`, and a comma is between two values. */
const plainQuery = (query: TimeRange): TimeRange => {
  const { from, to, ...rest } = query
  const isTurned = from !== undefined && to !== undefined && Date.parse(from) > Date.parse(to)
  const plain = Object.entries(rest).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'string' || Array.isArray(value) ? withoutCommas(value) : value,
  ])
  return { ...Object.fromEntries(plain), ...(isTurned ? { from: to, to: from } : { from, to }) }
}
const withoutCommas = (value: string | readonly unknown[]): unknown =>
  typeof value === 'string'
    ? value.replaceAll(/, */g, '-')
    : value.map((each) => (typeof each === 'string' ? withoutCommas(each) : each))
const STREAMS = ['text/event-stream', 'application/x-ndjson']
const NOISE = fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), fc.string({ maxLength: 8 }), {
  maxKeys: 2,
})
const HEADERS = fc.record(
  {
    accept: fc.constantFrom('*/*', 'application/json', 'text/html', 'image/png, */*;q=0', ';;;,q=', ''),
    'content-type': fc.constantFrom(
      'application/json',
      'text/plain',
      'application/json; charset=latin1',
      'x',
    ),
    'idempotency-key': fc.constantFrom('a key', '', 'ä', 'x'.repeat(300)),
    'if-match': fc.constantFrom('"1"', '*', 'W/"3"', '"x"', '1, 2', ''),
    'last-event-id': fc.constantFrom('0', '-1', 'x', '99999999999999', ''),
    'x-request-id': fc.constantFrom('mine', 'x'.repeat(200), 'é'),
    'x-forwarded-for': fc.constantFrom('10.0.0.1', '<script>', 'a, b, c'),
  },
  { requiredKeys: [] },
)

describe.each([
  { world: 'equipment that is only a record', open: recordsWorld, numRuns: 5 },
  { world: 'the real gateway', open: realWorld, numRuns: 3 },
])('with $world', async ({ open, numRuns }) => {
  const world = await open()
  afterAll(() => world.close())

  // Nothing but what is served says what there is to call.
  const document = filledIn((await (await fetch(`${world.url}/api/docs`)).json()) as ApiDocument)
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Call] => [
      operation.operationId,
      { path, method: method.toUpperCase(), operation },
    ]),
  )
  let token: string
  beforeAll(async () => {
    token = await world.token()
  })

  async function answerTo(
    call: Call,
    { id, ...others }: Ids,
    query: object,
    body: unknown,
    { headers = {}, isGood = true }: { headers?: Record<string, string>; isGood?: boolean } = {},
  ): Promise<{ status: number; body: string }> {
    const [own, asked, given] = isGood ? world.tame(call, query, body) : [undefined, query, body]
    const bearer = call.operation.operationId === 'logout' ? await world.token() : token
    const url =
      call.path
        .replace('{id}', encodeURIComponent(own ?? id))
        .replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(others[name] ?? id)) + queryText(asked)
    const hangUp = new AbortController()
    const answer = await fetch(world.url + url, {
      method: call.method,
      headers: {
        authorization: `Bearer ${bearer}`,
        'content-type': 'application/json',
        ...readable(headers),
      },
      signal: hangUp.signal,
      ...(call.method !== 'GET' && given !== undefined && { body: JSON.stringify(given) }),
    })
    const isStream = answer.ok && STREAMS.some((type) => answer.headers.get('content-type')?.startsWith(type))
    const text = isStream ? await firstLine(answer) : await answer.text()
    hangUp.abort()
    const header = (name: string) => answer.headers.get(name) ?? undefined
    requireDocumented({ method: call.method, url, status: answer.status, header, body: text })
    expect(answer.status, text).not.toBe(500)
    return { status: answer.status, body: text }
  }

  const queryOf = ({ operation: { parameters = [] } }: Call): fc.Arbitrary<object> => {
    const own = parameters.filter((each) => each.in === 'query')
    const properties = Object.fromEntries(own.map(({ name, schema }) => [name, schema]))
    return (valid({ type: 'object', properties }) as fc.Arbitrary<TimeRange>).map(plainQuery)
  }
  /** Parameters of the path: a number where it is one, and any text else. */
  const idsOf = ({ operation: { parameters = [] } }: Call): fc.Arbitrary<Ids> => {
    const numbers = parameters.filter(
      (each) => each.in === 'path' && /\[0-9]/.test(each.schema.pattern ?? ''),
    )
    const generated = Object.fromEntries(numbers.map(({ name, schema }) => [name, valid(schema)]))
    const id = IDS.map((each) => each.slice(0, 64))
    return fc.record({ id, ...generated }) as fc.Arbitrary<Ids>
  }
  const bodySchema = ({ operation }: Call): ApiSchema | undefined =>
    operation.requestBody?.content?.['application/json']?.schema

  test.each(calls)(
    '%s answers a valid call as documented, and never that it is not valid',
    async (_, call) => {
      const schema = bodySchema(call)
      const body = schema ? valid(schema) : fc.constant(undefined)
      await fc.assert(
        fc.asyncProperty(idsOf(call), queryOf(call), body, async (ids, query, given) => {
          const answer = await answerTo(call, ids, query, given)
          const { operationId } = call.operation
          const atTheDoor = [401, 403, 405, 406, 413, 415].filter(
            (status) => !ANSWERS_ALSO[operationId]?.includes(status),
          )
          expect(atTheDoor).not.toContain(answer.status)
          if (answer.status !== 400) return
          // Positions come from lists: these are made up, and refused as such. The rest is said in prose alone.
          const { code, errors = [] } = JSON.parse(answer.body)
          expect(['invalid_cursor', 'invalid_request']).toContain(code)
          // The grammar of a selector is in its description, and its fault is about it alone.
          if (code === 'invalid_request' && !errors[0]?.pointer.endsWith('label_selector'))
            expect(IN_PROSE, JSON.stringify(errors)).toContain(call.operation.operationId)
        }),
        { numRuns },
      )
    },
  )

  // A call that is not valid is refused before the gateway sees it: one of them is enough.
  const breakable =
    open === recordsWorld
      ? calls.filter(([name, { path }]) => path.startsWith('/api/v1/') && !OF_PROVIDER.includes(name))
      : []
  test.each(breakable)('%s refuses whatever is wrong with a call, and says where', async (_, call) => {
    const schema = bodySchema(call)
    const [body] = schema ? fc.sample(valid(schema), 1) : [undefined]
    for (const { why, pointer, breakBody, breakQuery } of breakagesOf(call.operation)) {
      const given = breakBody ? breakBody((body ?? {}) as object) : body
      const { status, body: text } = await answerTo(call, { id: '1' }, breakQuery?.({}) ?? {}, given, {
        isGood: false,
      })
      expect([status, JSON.parse(text).code], why).toEqual([400, 'invalid_request'])
      const pointers: string[] = JSON.parse(text).errors.map((fault: { pointer: string }) => fault.pointer)
      expect(
        pointers.some((each) => each === pointer || each.startsWith(`${pointer}/`)),
        `${why}: ${text}`,
      ).toBe(true)
    }
  })

  test.each(calls)('%s answers whatever it is given as documented', async (_, call) => {
    const query = fc.oneof(queryOf(call), NOISE)
    const body = fc.option(any(bodySchema(call) ?? {}), { nil: undefined })
    await fc.assert(
      fc.asyncProperty(IDS, query, body, HEADERS, async (id, asked, given, headers) => {
        await answerTo(call, { id }, asked, given, { headers: headers as Record<string, string> })
      }),
      { numRuns },
    )
  })
})

/** What `fetch` sends: it takes bytes alone. */
const readable = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Buffer.from(value).toString('latin1')]),
  )

/** Of a stream its beginning, which is a whole line. */
async function firstLine({ body }: Response): Promise<string> {
  for await (const chunk of body ?? [])
    return (
      Buffer.from(chunk as Uint8Array)
        .toString()
        .split('\n')[0] ?? ''
    )
  return ''
}
