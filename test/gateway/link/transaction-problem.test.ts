import { expect, test } from 'vitest'
import { STANDARD_CATALOGUE } from '../../../src/catalogue/standard-catalogue.js'
import type { Session } from '../../../src/gateway/link/session.js'
import { finished } from '../../../src/gateway/link/transaction-problem.js'
import type { Ended, Transaction } from '../../../src/gateway/link/transactions.js'
import type { Outcome } from '../../../src/hsms/outcome.js'

/** The error of an S2F41 that ends so, of equipment in these states. */
function problemOf(
  outcome: object,
  states: Partial<Session['host']>,
  communication: 'gem' | 'none' = 'gem',
  further: object = {},
  lineNoise: string | null = null,
): Promise<unknown> {
  const ended = { ending: {}, left: true, reply: undefined, outcome: outcome as Outcome, ...further } as Ended
  const transaction = { sent: { seq: 7 }, ended: Promise.resolve(ended) } as Transaction
  const session = {
    current: () => ({ id: 'eq_1', name: 'etcher', communication }),
    reading: () => ({ catalogue: STANDARD_CATALOGUE }),
    signs: 'device ID 0',
    lineNoise,
    host: states,
  } as unknown as Session
  return finished(transaction, session, { stream: 2, function: 41, item: undefined }).catch(
    (error: Error) => error,
  )
}

const told = async (...given: Parameters<typeof problemOf>): Promise<unknown> =>
  ((await problemOf(...given)) as Error).message

test.each([
  ['ONLINE_REMOTE', 'may be'],
  ['UNKNOWN', 'may be'],
  ['HOST_OFFLINE', 'is'],
] as const)('an abort while %s says that the equipment %s offline', async (controlState, says) => {
  const aborted = { kind: 'aborted', reply: { stream: 2, function: 0 } }
  expect(await told(aborted, { controlState })).toContain(
    `with S2F0. It ${says} offline. Look at its control state, and ask it to go online.`,
  )
  expect(await problemOf(aborted, { controlState })).toMatchObject({
    extra: { next: [{ operation: 'goOnline', parameters: { id: 'eq_1' } }] },
  })
})

test('an abort by equipment that has answered S1F1 is not said to come of its being offline', async () => {
  const aborted = { kind: 'aborted', reply: { stream: 2, function: 0 } }
  const message = await told(aborted, { controlState: 'UNKNOWN', hasConfirmedPresence: true })
  expect(message).toContain(
    'It replied to S1F1 on this connection: it does not know the message, or does not take it now.',
  )
  expect(message).not.toContain('offline')
})

test('an abort by equipment that has refused to go online says that its operator has to set it online', async () => {
  const aborted = { kind: 'aborted', reply: { stream: 2, function: 0 } }
  const message = await told(aborted, { controlState: 'EQUIPMENT_OFFLINE', refusesOnline: true })
  expect(message).toContain(
    'It is offline, and has refused to go online for its host (ONLACK 1): its operator',
  )
  expect(message).not.toContain('ask it to go online')
})

test('an abort by equipment without GEM is not said to come of its being offline', async () => {
  const aborted = { kind: 'aborted', reply: { stream: 2, function: 0 } }
  expect(await told(aborted, { controlState: 'UNKNOWN' }, 'none')).toBe(
    'etcher aborted S2F41 Host Command Send with S2F0. It does not know the message, or does not take it now.',
  )
})

test('another device ID is thought of only before the equipment communicates', async () => {
  const timedOut = { kind: 'timed_out' }
  expect(await told(timedOut, { communicationState: 'COMMUNICATING' })).toMatch(/in time \(device ID 0\)\.$/)
  expect(await told(timedOut, { communicationState: 'NOT_COMMUNICATING' })).toContain('another device ID')
})

const STATES = { controlState: 'UNKNOWN', communicationState: 'COMMUNICATING' } as const

test.each<[object, string, string, object]>([
  [
    { kind: 'timed_out' },
    'reply_timeout',
    'etcher did not reply to S2F41 Host Command Send in time (device ID 0).',
    {},
  ],
  [
    { kind: 'rejected', reason: 4 },
    'message_rejected',
    'etcher rejected S2F41 Host Command Send (Reject.req, reason 4: it was not selected).',
    {},
  ],
  [
    { kind: 'rejected', reason: 99 },
    'message_rejected',
    'etcher rejected S2F41 Host Command Send (Reject.req, reason 99: reserved).',
    {},
  ],
  [
    { kind: 'error', reply: { stream: 9, function: 5 } },
    'equipment_error',
    'etcher replied to S2F41 Host Command Send with S9F5 Unrecognized Function Type.',
    { s9: 'S9F5' },
  ],
  [
    { kind: 'error', reply: { stream: 2, function: 44 } },
    'equipment_error',
    'etcher replied to S2F41 Host Command Send with S2F44 Reset Spooling Acknowledge.',
    {},
  ],
  [
    { kind: 'lost' },
    'connection_lost',
    'The connection to etcher ended before it replied to S2F41 Host Command Send. Whether it acted on it is not known.',
    {},
  ],
])('the end %j of a primary is the problem %s', async (outcome, code, message, extra) => {
  const problem = (await problemOf(outcome, STATES)) as { readonly extra: object }
  expect(problem).toMatchObject({ code, message })
  expect(problem.extra).toEqual({ ...extra, message_id: '7' })
})

test('a problem names the recorded reply, and a bad line before another device ID', async () => {
  const replied = await problemOf({ kind: 'rejected', reason: 1 }, STATES, 'gem', {
    reply: { seq: 8 },
  })
  expect(replied).toMatchObject({ extra: { message_id: '7', reply_id: '8' } })
  const silent = await problemOf(
    { kind: 'timed_out' },
    { communicationState: 'WAIT_CRA' },
    'gem',
    {},
    'noise',
  )
  expect((silent as Error).message).toMatch(/\(device ID 0\)\. But noise\.$/)
})

test('a primary that could not leave was not sent, and one without an end to tell is no problem', async () => {
  const lost = await problemOf({ kind: 'lost' }, STATES, 'gem', { left: false })
  expect((lost as Error).message).toMatch(/could leave\. It was not sent\.$/)
  for (const outcome of [{ kind: 'replied' }, undefined])
    expect(await problemOf(outcome as object, STATES)).toMatchObject({ left: true })
})
