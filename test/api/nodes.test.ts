import type { FastifyInstance } from 'fastify'
import { beforeEach, describe, expect, test } from 'vitest'
import { BASE_PATH } from '../../src/contract/endpoints.js'
import type { AuditEntry } from '../../src/contract/topics/audit.js'
import type { Node } from '../../src/contract/topics/nodes.js'
import { SITE_KEY } from '../../src/store/ownership.js'
import { Site } from '../gateway/shared-ownership.js'
import { ServedGateway } from '../support/served-gateway.js'

let gateway: ServedGateway
let app: FastifyInstance
let token: string

beforeEach(async () => {
  gateway = new ServedGateway()
  app = await gateway.app()
  token = await gateway.tokenOf('admin')
  return () => app.close()
})

const call = (method: 'GET' | 'POST' | 'DELETE', path: string) =>
  app.inject({ method, url: BASE_PATH + path, headers: { authorization: `Bearer ${token}` } })
const drain = (id: string) => call('POST', `/nodes/${id}/drain`)
const undrain = (id: string) => call('DELETE', `/nodes/${id}/drain`)
const draining = async () =>
  ((await call('GET', '/nodes')).json().items as Node[])
    .filter((node) => node.draining)
    .map(({ name }) => name)

describe('of two daemons', () => {
  beforeEach(async () => {
    const site = new Site()
    gateway.ownership = site.join('127.0.0.1')
    await site.give(SITE_KEY, site.join('127.0.0.2'))
  })

  test('one is drained by its name, and takes equipment again', async () => {
    const answer = await drain('node-2')
    expect([answer.statusCode, answer.json()]).toMatchObject([200, { name: 'node-2', draining: true }])
    expect(await draining()).toEqual(['node-2'])
    expect((await undrain('node-2')).json()).toMatchObject({ name: 'node-2', draining: false })
    expect(await draining()).toEqual([])
  })

  test('one is drained once, however often it is said', async () => {
    await drain('node-2')
    expect((await drain('node-2')).statusCode).toBe(200)
    expect(await draining()).toEqual(['node-2'])
  })

  test('the last one that takes equipment is not drained', async () => {
    await drain('node-2')
    const answer = await drain('node-1')
    expect(answer.json()).toMatchObject({ status: 409, code: 'node_needed' })
    expect(await draining()).toEqual(['node-2'])
  })

  test('one that is not there is not drained', async () => {
    expect((await drain('node-9')).json()).toMatchObject({ status: 404, code: 'node_not_found' })
    expect((await undrain('node-9')).json()).toMatchObject({ status: 404, code: 'node_not_found' })
  })

  test('it is in the audit who did it', async () => {
    await drain('node-2')
    const { items } = (await call('GET', '/audit')).json() as { readonly items: readonly AuditEntry[] }
    expect(items).toContainEqual(expect.objectContaining({ user: 'admin@example.com', action: 'drainNode' }))
  })
})

test('a daemon on a data folder is not drained, and says why', async () => {
  const answer = await drain('gateway-1')
  expect(answer.json()).toMatchObject({ status: 409, code: 'node_needed' })
  expect(answer.json().detail).toContain('data folder')
  expect((await undrain('gateway-1')).statusCode).toBe(200)
})
