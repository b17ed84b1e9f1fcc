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
): Promise<unknown> {
  const ended = { ending: {}, left: true, reply: undefined, outcome: outcome as Outcome } as Ended
  const transaction = { sent: { seq: 7 }, ended: Promise.resolve(ended) } as Transaction
  const session = {
    current: () => ({ id: 'eq_1', name: 'etcher', communication }),
    reading: () => ({ catalogue: STANDARD_CATALOGUE }),
    signs: 'device ID 0',
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
