import { connect, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { Diagnosis } from '../../../src/gateway/link/diagnosis.js'
import { newEquipmentRecord } from '../../../src/gateway/records/equipment-record.js'
import { RecordedMessage } from '../../../src/gateway/records/recorded-message.js'
import type { Denial } from '../../../src/gem/communication-states.js'
import { mheadOf } from '../../../src/gem/message-header.js'
import type { HsmsCounts } from '../../../src/hsms/counters/counters.js'
import type { LinkDriver } from '../../../src/hsms/link-driver.js'
import { encodeBody } from '../../../src/secs2/encode.js'
import { B } from '../../../src/secs2/item.js'
import { ManualClock } from '../../support/manual-clock.js'
import { MemoryJournal } from '../../support/memory-store.js'
import { until } from '../../support/until.js'

const AT = '2026-01-01T00:00:00.000Z'
const SILENT: Denial = {
  ...{ code: 'communication_timeout', detail: 'S1F13 got no reply' },
  ...{ knowsGem: false, isAborted: false, isError: false },
}
const REFUSED: Denial = { ...SILENT, code: 'communication_denied', detail: 'COMMACK 1', knowsGem: true }
const LOST = { code: 'connection_lost', detail: 'the peer has closed' } as const
const HSMS_THERE = { code: 'not_secs1', detail: expect.stringContaining('speaks HSMS') }

/** The diagnosis of an equipment with this record. */
function scene(given: object = {}, port = 5000) {
  const clock = new ManualClock()
  const record = newEquipmentRecord('eq_1', { name: 'etcher', ip_address: '127.0.0.1', port, ...given }, AT)
  const counted = {
    line: { blocksIn: 0, blocksOut: 0, naksIn: 0, naksOut: 0, retries: 0 } as HsmsCounts['line'],
  }
  const driver = { counts: counted, settings: { host: '127.0.0.1', port } } as unknown as LinkDriver
  const diagnosis = new Diagnosis(record, driver, clock, new MemoryJournal())
  let changes = 0
  diagnosis.changed.on(() => {
    changes += 1
  })
  diagnosis.selected()
  const receive = (
    kind: 'primary' | 'other_device',
    stream: number,
    fn: number,
    sessionId: number,
    body?: Uint8Array,
  ) => {
    const message = {
      sessionId,
      stream,
      function: fn,
      wait: false,
      systemBytes: 1,
      body: body ?? new Uint8Array(),
    }
    diagnosis.received({
      kind,
      message: new RecordedMessage({ direction: 'received', equipmentId: 'eq_1' }, message),
    })
  }
  return { clock, counted, diagnosis, receive, changes: () => changes }
}

/** An S9F5 about S1F13. */
const ABOUT_S1F13 = encodeBody(
  B(...mheadOf({ sessionId: 0, stream: 1, function: 13, wait: true, systemBytes: 9 })),
)

test('an error is kept with its time until communication is established, and told each time', () => {
  const { clock, diagnosis, changes } = scene()
  expect(diagnosis.lastError).toBeNull()
  clock.advance(1000)
  diagnosis.remember(LOST)
  expect([diagnosis.lastError, changes()]).toEqual([{ ...LOST, at: '2026-01-01T00:00:01.000Z' }, 1])
  diagnosis.cleared()
  expect(diagnosis.lastError).toBeNull()
})

test('the signs are the device ID, the facts, and the last message of stream 9', () => {
  const { diagnosis, receive } = scene({ device_id: 3 })
  expect(diagnosis.signs()).toBe('device ID 3')
  receive('primary', 9, 5, 3, ABOUT_S1F13)
  expect(diagnosis.signs('T3 45 s')).toBe('device ID 3, T3 45 s; its last S9: S9F5 about S1F13, 0 s ago')
  diagnosis.selected()
  expect(diagnosis.signs()).toBe('device ID 3')
})

test('equipment that refuses is not told to be without GEM, and is not treated as such', async () => {
  const { diagnosis } = scene()
  expect(await diagnosis.denied(REFUSED)).toBeUndefined()
  expect(diagnosis.lastError).toMatchObject({ code: 'communication_denied', detail: 'COMMACK 1' })
})

test('equipment that leaves two S1F13 without a reply is treated as equipment without GEM', async () => {
  const { diagnosis } = scene()
  expect(await diagnosis.denied(SILENT)).toBeUndefined()
  expect(diagnosis.lastError).toMatchObject({
    code: 'communication_timeout',
    detail: expect.stringMatching(/^S1F13 got no reply; if it has no GEM/),
  })
  expect(await diagnosis.denied(SILENT)).toMatch(/^S1F13 got no reply: it is treated as .* none$/)
})

test.each([
  ['an abort', { isAborted: true }, false, /^S1F13 got no reply: it is treated/],
  ['an S9F5 about it', { isError: true }, true, /^the equipment replied to S1F13 with S9F5: it is treated/],
  ['an S9F5 that comes later', {}, true, /^S1F13 got no reply, and sent S9F5 about S1F13: it is treated/],
] as const)('equipment that replies to S1F13 by %s lacks it at once', async (_, how, hasS9, text) => {
  const { diagnosis, receive } = scene()
  if (hasS9) receive('primary', 9, 5, 0, ABOUT_S1F13)
  expect(await diagnosis.denied({ ...SILENT, code: 'communication_denied', ...how })).toMatch(text)
})

test('another reply than S1F14 is no sign that it is missing', async () => {
  const { diagnosis } = scene()
  const denied = { ...SILENT, code: 'communication_denied', isError: true } as const
  expect([await diagnosis.denied(denied), await diagnosis.denied(denied)]).toEqual([undefined, undefined])
})

test('a bad line explains silence, and no other failure', async () => {
  const { counted, diagnosis } = scene({ transport: 'secs1-tcp' })
  counted.line = { ...counted.line, blocksIn: 9, naksOut: 4 }
  expect(diagnosis.lineNoise).toContain('4 of 9 blocks')
  expect(await diagnosis.denied(REFUSED)).toBeUndefined()
  expect(diagnosis.lastError?.code).toBe('communication_denied')
  for (let at = 0; at < 3; at++) expect(await diagnosis.denied(SILENT)).toBeUndefined()
  expect(diagnosis.lastError).toMatchObject({ code: 'line_noise' })
  diagnosis.selected()
  expect(diagnosis.lineNoise).toBeNull()
})

test('a reply under another device ID is told at once, and its time once a minute', async () => {
  const { clock, diagnosis, receive, changes } = scene()
  expect(diagnosis.reportsMisaddressing(false)).toBe(false)
  receive('other_device', 1, 14, 7)
  expect([diagnosis.reportsMisaddressing(false), changes()]).toEqual([true, 1])
  expect(diagnosis.lastError).toMatchObject({ code: 'wrong_device_id', at: AT })
  clock.advance(59_999)
  expect([diagnosis.reportsMisaddressing(false), changes()]).toEqual([true, 1])
  expect(await diagnosis.denied(SILENT)).toBeUndefined()
  expect(diagnosis.lastError).toMatchObject({ code: 'wrong_device_id', at: AT })
  clock.advance(1)
  expect([diagnosis.reportsMisaddressing(false), changes()]).toEqual([true, 2])
  diagnosis.remember(LOST)
  expect([diagnosis.reportsMisaddressing(false), changes()]).toEqual([true, 4])
})

test('a primary under another device ID is told only once communication is established', () => {
  const { diagnosis, receive } = scene()
  receive('other_device', 6, 11, 7)
  expect([diagnosis.reportsMisaddressing(false), diagnosis.lastError]).toEqual([false, null])
  expect(diagnosis.reportsMisaddressing(true)).toBe(true)
  expect(diagnosis.lastError).toMatchObject({ code: 'wrong_device_id' })
})

/** A peer that answers Select.req: how often it was dialled, and how many of these connections are over. */
async function hsmsPeer() {
  const dials = { count: 0, over: 0 }
  const server = createServer((socket) => {
    dials.count += 1
    socket.on('error', () => {})
    socket.on('close', () => {
      dials.over += 1
    })
    socket.once('data', (asked: Buffer) => {
      const reply = Buffer.from(asked)
      reply[9] = 2 // Select.rsp
      socket.write(reply)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { dials, port: (server.address() as { readonly port: number }).port }
}

test('a dialled SECS-I line that stays silent is asked once in ten minutes whether HSMS is there', async () => {
  const { dials, port } = await hsmsPeer()
  const { clock, diagnosis } = scene({ transport: 'secs1-tcp' }, port)
  diagnosis.lineLost(LOST, () => true)
  expect(diagnosis.lastError).toMatchObject(LOST)
  await until(async () => diagnosis.lastError?.code === 'not_secs1')
  expect(diagnosis.lastError).toMatchObject(HSMS_THERE)
  clock.advance(10 * 60_000 - 1)
  diagnosis.lineLost(LOST, () => true)
  expect(diagnosis.lastError).toMatchObject(HSMS_THERE)
  await new Promise(setImmediate)
  expect(dials.count).toBe(1)
  clock.advance(1)
  diagnosis.lineLost(LOST, () => true)
  await until(async () => dials.count === 2)
  diagnosis.start()
  diagnosis.lineLost(LOST, () => true)
  expect(diagnosis.lastError).toMatchObject(LOST)
  await until(async () => dials.count === 3)
})

test.each([
  ['HSMS', {}, 0],
  ['SECS-I that dials in', { transport: 'secs1-tcp', mode: 'active' }, 0],
  ['a line on which something came', { transport: 'secs1-tcp' }, 1],
])('%s is not asked', async (_, given, blocksIn) => {
  const { dials, port } = await hsmsPeer()
  const { counted, diagnosis } = scene(given, port)
  counted.line = { ...counted.line, blocksIn }
  diagnosis.lineLost(LOST, () => true)
  // A question before it would have come first.
  const own = connect(port, '127.0.0.1').end('x')
  await until(async () => dials.count > 0)
  own.destroy()
  expect([diagnosis.lastError?.code, dials.count]).toEqual(['connection_lost', 1])
})

test('what a question finds does not count once the connection is not wanted, or begins anew', async () => {
  const { dials, port } = await hsmsPeer()
  for (const isWanted of [false, true]) {
    const { diagnosis } = scene({ transport: 'secs1-tcp' }, port)
    diagnosis.lineLost(LOST, () => isWanted)
    if (isWanted) diagnosis.start()
    await until(async () => dials.over === (isWanted ? 2 : 1))
    expect(diagnosis.lastError?.code).toBe('connection_lost')
  }
})
