import { expect, test } from 'vitest'
import type { GatewayClient } from '../../src/client/client.js'
import { systemClock } from '../../src/kit/clock.js'
import { siteOf } from '../../src/scenario/run/site.js'

test('names that could not be read are read again for the next step', async () => {
  let failures = 1
  const client = {
    call: async () => {
      if (failures-- > 0) throw new Error('the gateway does not respond')
      return { items: [] }
    },
  }
  const site = siteOf(client as unknown as GatewayClient, 'eq_1', systemClock)
  await expect(site.read('Clock', undefined)).rejects.toThrow('respond')
  expect(await site.read('Clock', undefined)).toBeUndefined()
})
