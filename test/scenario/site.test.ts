import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { GatewayClient } from '../../src/client/client.js'
import { systemClock } from '../../src/kit/clock.js'
import { MAX_OPEN } from '../../src/scenario/run/load.js'
import { siteOf } from '../../src/scenario/run/site.js'
import { until } from '../support/until.js'

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

test('the events of equipment whose last one is removed are followed from the newest one of the site on', async () => {
  const newest = new Map([['', '900']])
  const client = {
    call: async (
      _: unknown,
      { query }: { readonly query: { readonly equipment_id?: readonly string[] } },
    ) => {
      const id = newest.get(query.equipment_id?.[0] ?? '')
      return { items: id === undefined ? [] : [{ id }] }
    },
  }
  const site = siteOf(client as unknown as GatewayClient, 'eq_1', systemClock)
  expect(await site.newest()).toBe(900)
  newest.set('eq_1', '870')
  expect(await site.newest()).toBe(870)
  newest.clear()
  expect(await site.newest()).toBe(0)
})

test('a load that has as many messages open as it may is no leak to Node', async () => {
  const held: (() => void)[] = []
  const server = createServer((_, response) => void held.push(() => response.end('{}'))).listen(
    0,
    '127.0.0.1',
  )
  onTestFinished(() => void server.close())
  await until(() => server.listening)
  const warnings: string[] = []
  const note = ({ name }: Error): void => void warnings.push(name)
  process.on('warning', note)
  onTestFinished(() => void process.off('warning', note))
  const { port } = server.address() as AddressInfo
  const client = new GatewayClient({ url: `http://127.0.0.1:${port}`, token: 'token' })
  const site = siteOf(client, 'eq_1', systemClock, new AbortController().signal)
  const sent = Array.from({ length: MAX_OPEN }, () => site.send({ stream: 1, function: 1 }, undefined))
  await until(() => held.length === MAX_OPEN)
  for (const respond of held) respond()
  await Promise.all(sent)
  expect(warnings).toEqual([])
})
