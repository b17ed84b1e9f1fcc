import { expect, test } from 'vitest'
import { SiteNodes } from '../../../src/gateway/nodes/site-nodes.js'
import { Signal } from '../../../src/kit/signal.js'
import type { Ownership, StoreNode } from '../../../src/store/ownership.js'
import { SoleOwnership } from '../../../src/store/sole-ownership.js'
import { ManualClock } from '../../support/manual-clock.js'

const OWN = { name: 'gateway-1', version: '1.2.3' }
const node = (id: string, name: string, more: Partial<StoreNode> = {}): StoreNode => ({
  id,
  name,
  url: `http://${id}`,
  version: '1',
  started_at: '2026-01-01T00:00:00.000Z',
  draining: false,
  expires_in: 5000,
  keys: 2,
  lag: 0,
  ...more,
})

/** A site as the node `a` sees it; `a` has the duties of the site. */
function site(...nodes: StoreNode[]) {
  const drained: unknown[] = []
  const ownership = {
    self: 'a',
    changed: new Signal<string>(),
    nodes: () => nodes,
    ownerOf: (key: string) => (key === 'site' ? nodes.find(({ id }) => id === 'a') : undefined),
    drain: async (id: string, draining: boolean) => {
      drained.push([id, draining])
      const at = nodes.findIndex((one) => one.id === id)
      if (nodes[at]) nodes[at] = { ...nodes[at], draining }
      return id !== 'gone'
    },
  } as unknown as Ownership
  return { drained, nodes: new SiteNodes(OWN, ownership, () => 7, new ManualClock()) }
}

test('the daemons are listed by name, with what each has', () => {
  const { nodes } = site(
    node('b', 'zeta', { expires_in: 0 }),
    node('a', 'mid', { keys: 3 }),
    node('c', 'alpha', { expires_in: 1 }),
  )
  expect(nodes.list()).toMatchObject([
    { id: 'c', name: 'alpha', equipment: 2, has_site_duties: false, self: false, alive: true },
    { id: 'a', name: 'mid', equipment: 2, has_site_duties: true, self: true, alive: true },
    { id: 'b', name: 'zeta', equipment: 2, has_site_duties: false, self: false, alive: false },
  ])
  for (const one of nodes.list()) {
    expect(one).not.toHaveProperty('keys')
    expect(one).not.toHaveProperty('expires_in')
  }
})

test('a daemon that is alone has everything, says where it is reached, and is not drained', async () => {
  const nodes = new SiteNodes(OWN, new SoleOwnership(async () => []), () => 7, new ManualClock())
  const [alone] = nodes.list()
  expect(alone).toEqual({
    ...OWN,
    id: expect.any(String),
    url: null,
    started_at: '2026-01-01T00:00:00.000Z',
    equipment: 7,
    has_site_duties: true,
    lag: 0,
    self: true,
    alive: true,
    draining: false,
  })
  await nodes.announce('http://127.0.0.1:1')
  expect(nodes.list()).toEqual([{ ...alone, url: 'http://127.0.0.1:1' }])
  await expect(nodes.drain('gateway-1', true)).rejects.toMatchObject({ code: 'node_needed' })
  expect(await nodes.drain('gateway-1', false)).toMatchObject({ draining: false })
})

test.each([
  ['is dead', { expires_in: 0 }],
  ['drains itself', { draining: true }],
  ['is not reached', { url: null }],
])('no daemon is drained where the only other one %s, but it takes equipment again', async (_, other) => {
  const { nodes, drained } = site(node('a', 'one'), node('b', 'two', other))
  await expect(nodes.drain('one', true)).rejects.toMatchObject({ code: 'node_needed' })
  expect(drained).toEqual([])
  expect(await nodes.drain('one', false)).toMatchObject({ id: 'a', draining: false })
})

test('a daemon is drained by its id or its name, where one alive has it', async () => {
  const { nodes, drained } = site(
    node('a', 'one'),
    node('b', 'two'),
    node('c', 'two'),
    node('d', 'three', { expires_in: 0 }),
    node('gone', 'gone'),
  )
  expect(await nodes.drain('one', true)).toMatchObject({ id: 'a', draining: true })
  expect(await nodes.drain('c', true)).toMatchObject({ id: 'c', draining: true })
  expect(drained).toEqual([
    ['a', true],
    ['c', true],
  ])
  await expect(nodes.drain('two', true)).rejects.toMatchObject({ code: 'invalid_request' })
  for (const name of ['d', 'three', 'nobody', 'gone'])
    await expect(nodes.drain(name, true)).rejects.toMatchObject({ code: 'node_not_found' })
})
