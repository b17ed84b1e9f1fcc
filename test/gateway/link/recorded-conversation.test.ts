import { expect, test } from 'vitest'
import { STANDARD_CATALOGUE } from '../../../src/catalogue/standard-catalogue.js'
import { linkTo } from '../../../src/gateway/link/open-link.js'
import { SendingConversation } from '../../../src/gateway/link/sending-conversation.js'
import { newEquipmentRecord } from '../../../src/gateway/records/equipment-record.js'
import { plainReading } from '../../../src/gateway/records/reading.js'
import { HsmsDriver } from '../../../src/hsms/hsms-driver.js'
import { Listeners } from '../../../src/hsms/tcp/listener.js'
import { Signal } from '../../../src/kit/signal.js'
import { Secs1Driver } from '../../../src/secs1/secs1-driver.js'
import { encodeBody } from '../../../src/secs2/encode.js'
import { A, B, type Item, L } from '../../../src/secs2/item.js'
import { StoreUnavailable } from '../../../src/store/failure.js'
import { ManualClock } from '../../support/manual-clock.js'
import { MemoryJournal } from '../../support/memory-store.js'

const record = (given: object = {}) =>
  newEquipmentRecord('eq', { name: 'etcher', ip_address: '10.0.0.1', port: 5000, ...given } as never, '')

test.each([
  [{}, HsmsDriver],
  [{ transport: 'secs1-tcp' }, Secs1Driver],
  [{ transport: 'secs1-serial', serial_port: '/dev/ttyS0' }, Secs1Driver],
])('the link of equipment with %j', (given, driver) => {
  const world = { clock: new ManualClock(), listeners: new Listeners() }
  const link = linkTo(record(given), '0.0.0.0', world as never)
  expect(link).toBeInstanceOf(driver)
  expect(link.world.dial !== undefined).toBe('serial_port' in given)
})

/** A conversation whose requests end so, and whether the alarms are listened to while one is under way. */
function scene(outcome: object) {
  const journal = new MemoryJournal()
  const reported = {
    listeners: 0,
    on: () => {
      reported.listeners++
      return () => {}
    },
  }
  const driver = {
    ...{ state: 'SELECTED', settings: { maxMessageLength: 1000 }, room: true, changed: new Signal() },
    ...{ t3: undefined as unknown, sent: [] as string[] },
    unsent: 0,
    reserve: () => (driver.room ? 1 : undefined),
    release: () => {},
    request: (
      { stream, function: fn }: { stream: number; function: number },
      t3: unknown,
      onEnd: (one: object) => void,
    ) => {
      driver.sent.push(`S${stream}F${fn}`)
      driver.t3 = t3
      onEnd(outcome)
    },
  }
  const health = { replied: () => {}, rejected: () => {}, timedOut: () => {} }
  const intake = { hold: () => {}, release: () => {} }
  const world = { journal, clock: new ManualClock(), outcomes: { endLater: () => {} }, alarms: { reported } }
  const reading = () => plainReading(STANDARD_CATALOGUE)
  const conversation = new SendingConversation(
    record(),
    driver as never,
    health as never,
    intake as never,
    reading,
    world as never,
  )
  return { conversation, driver, journal, reported }
}
const replyOf = (stream: number, fn: number, item: Item = A('x')) => ({
  kind: 'replied',
  reply: { stream, function: fn, wait: false, sessionId: 0, systemBytes: 1, body: encodeBody(item) },
})
const S1F1 = { stream: 1, function: 1, item: undefined }

test('a request is recorded, and its exchange is told when it ends', async () => {
  const { conversation, driver, journal } = scene(replyOf(1, 2))
  const told: unknown[] = []
  const exchange = await conversation.request(S1F1, (one) => told.push(one), 250)
  expect([exchange, told, driver.t3]).toEqual([{ kind: 'replied', item: A('x') }, [exchange], 250])
  expect(journal.entries.map(({ name }) => name)).toEqual([
    'message_sent',
    'message_received',
    'message_ended',
  ])
  await conversation.request(S1F1)
  expect(driver.t3).toBeUndefined()
})

test.each<[what: string, change: (one: ReturnType<typeof scene>) => unknown, kind: string]>([
  ['is not selected', ({ driver }) => Object.assign(driver, { state: 'NOT_SELECTED' }), 'lost'],
  ['has no room', ({ driver }) => Object.assign(driver, { room: false }), 'busy'],
  [
    'cannot be recorded',
    ({ journal }) => Object.assign(journal, { failure: new StoreUnavailable('') }),
    'lost',
  ],
])('a request on a link that %s', async (_, change, kind) => {
  const one = scene(replyOf(1, 2))
  change(one)
  expect(await one.conversation.request(S1F1)).toEqual({ kind })
  expect(one.driver.sent).toEqual([])
})

test.each([
  [5, 5, 1],
  [5, 7, 1],
  [5, 3, 0],
  [1, 5, 0],
])('while S%iF%i is under way, the board is aligned: %i', async (stream, fn, listeners) => {
  const { conversation, reported } = scene({ kind: 'timed_out' })
  await conversation.request({ stream, function: fn, item: undefined })
  expect(reported.listeners).toBe(listeners)
})

test('what is asked and replied of the spool is noted', async () => {
  const { conversation } = scene(replyOf(6, 24, B(0)))
  expect(conversation.unload.receive({ stream: 6 })).toBe(false)
  await conversation.request({ stream: 6, function: 23, item: B(0) })
  expect(conversation.unload.receive({ stream: 6 })).toBe(true)
  const other = scene(replyOf(6, 24, L()))
  await other.conversation.request({ stream: 6, function: 23, item: B(0) })
  expect(other.conversation.unload.receive({ stream: 6 })).toBe(false)
})
