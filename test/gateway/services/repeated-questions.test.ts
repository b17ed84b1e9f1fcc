import { expect, test } from 'vitest'
import { Problem } from '../../../src/contract/errors.js'
import { A, B, L, U4 } from '../../../src/secs2/item.js'
import { answering } from './answering.js'

const EVENTS = L(L(U4(3010), A('ProcessingStarted'), L()))

test('a question that the gateway asked before does not bind the key of the request', async () => {
  const { live, call, id, asked } = await answering({ S1F23: EVENTS, S2F37: B(0) })
  const { idempotency } = live.gateway
  let noted: boolean | undefined
  const enable = (event: string) =>
    idempotency.run('ann', 'k', 'f', async (request) => {
      try {
        await call.enableCollectionEvents({ id }, { body: { events: [event] }, request })
        return { status: 200, body: null }
      } finally {
        noted = request.hasSent
      }
    })
  await expect(enable('Proccessing')).rejects.toBeInstanceOf(Problem)
  expect(noted).toBe(false)
  // The equipment was asked for its names, and nothing was changed: the same key may be used again.
  expect(asked().map((sml) => sml.split(' ')[0])).toEqual(['S1F23'])
  await enable('ProcessingStarted')
  expect(noted).toBe(true)
  expect(asked().map((sml) => sml.split(' ')[0])).toEqual(['S1F23', 'S2F37'])
  expect(await enable('ProcessingStarted')).toMatchObject({ replayed: true })
})
