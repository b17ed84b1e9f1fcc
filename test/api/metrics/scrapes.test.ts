import type { FastifyInstance } from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { deferred } from '../../../src/kit/deferred.js'
import { ServedGateway } from '../../support/served-gateway.js'

let app: FastifyInstance
afterEach(() => app.close())

test('scrapes at the same time share one text', async () => {
  const gateway = new ServedGateway()
  const shown = deferred<void>()
  let made = 0
  gateway.traffic.all = async () => {
    made += 1
    await shown.promise
    return []
  }
  app = await gateway.app()
  const scrapes = Array.from({ length: 300 }, () => app.inject('/metrics'))
  await expect.poll(() => made).toBe(1)
  shown.resolve()
  const bodies = new Set((await Promise.all(scrapes)).slice(1).map(({ body }) => body))
  expect([made, bodies.size]).toEqual([2, 1])
})
