import { request } from 'undici'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { SITE_KEY } from '../../../src/store/ownership.js'
import { Site } from '../../gateway/shared-ownership.js'
import { ServedGateway } from '../../support/served-gateway.js'

/** How far a gateway has read, and how far it does when it reads on. */
class Reading {
  seen: readonly number[] = [5, 9]
  next: readonly number[] | 'never' = [5, 9]
  /** How often it has read on. */
  times = 0

  constructor(readonly gateway: ServedGateway) {
    gateway.position = () => this.seen
    gateway.catchUp = async () => {
      this.times += 1
      if (this.next === 'never') return new Promise(() => {})
      this.seen = this.next
    }
  }
}

let here: Reading
let there: Reading
let url: string
let token: string

/** `says`: the daemon that drives the equipment says how far it has read. */
async function start(says: boolean): Promise<void> {
  const site = new Site()
  const [a, b] = [site.join('127.0.0.1'), site.join('127.0.0.1')]
  here = new Reading(new ServedGateway(a))
  there = new Reading(new ServedGateway(b))
  if (!says) there.gateway.position = undefined
  const open = async ({ gateway }: Reading): Promise<string> => {
    const app = await gateway.app({})
    gateway.equipment.labels.set('eq_1', {})
    const address = await app.listen({ host: '127.0.0.1', port: 0 })
    await gateway.ownership.announce(address)
    onTestFinished(() => app.close())
    return address
  }
  url = await open(here)
  await open(there)
  await site.give('eq_1', b)
  await site.give(SITE_KEY, b)
  token = await here.gateway.tokenOf('admin')
  for (const user of await here.gateway.users.all()) await there.gateway.users.put(user)
}

beforeEach(() => start(true))

async function call(path: string, body?: object): Promise<{ status: number; headers: object }> {
  const {
    statusCode,
    headers,
    body: answer,
  } = await request(`${url}/api/v1${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  await answer.dump()
  return { status: statusCode, headers }
}

/** The daemon that drives the equipment carries it out, and has then read so far. */
async function change(position: readonly number[]): Promise<void> {
  there.seen = position
  const { status, headers } = await call('/equipment/eq_1/messages', { stream: 1, function: 1 })
  expect(status).toBe(200)
  expect(headers).not.toHaveProperty('secsctl-position')
}

test('what another daemon has changed for a caller is read before the next call at the same daemon is', async () => {
  await change([6, 12])
  expect(here.times).toBe(0)
  here.next = [6, 12]
  expect((await call('/equipment')).status).toBe(200)
  expect([here.times, here.seen]).toEqual([1, [6, 12]])
  await call('/equipment')
  await call('/messages')
  expect(here.times).toBe(1)
})

test('nothing is read where all of it is known already, and for calls that other daemons carry out records alone', async () => {
  await change([5, 9])
  await call('/equipment')
  await change([5, 10])
  await change([5, 11])
  expect(here.times).toBe(0)
  await change([6, 12])
  here.next = [6, 12]
  await change([6, 13])
  expect(here.times).toBe(1)
})

test('before a daemon carries out a forwarded call, it reads the records that the sending daemon knows', async () => {
  here.seen = [7, 20]
  await call('/alarms/7/acknowledge', {})
  there.next = [7, 20]
  await call('/equipment/eq_1/traffic')
  expect([there.times, there.seen]).toEqual([1, [7, 20]])
  await call('/equipment/eq_1/traffic')
  expect(there.times).toBe(1)
})

test('what cannot be read is not shown as it was', async () => {
  await change([6, 12])
  here.next = 'never'
  const read = call('/equipment')
  await expect.poll(() => here.times).toBe(1)
  here.gateway.clock.advance(3000)
  expect((await read).status).toBe(503)
})

test('what a failover of the database has lost is not waited for', async () => {
  await change([6, 12])
  expect((await call('/equipment')).status).toBe(200)
  expect((await call('/equipment')).status).toBe(200)
  expect(here.times).toBe(1)
})

test('a daemon of an earlier version does not say how far it has read: all that there is then is read', async () => {
  await start(false)
  await change([])
  here.next = [6, 12]
  await call('/equipment')
  await call('/equipment')
  expect([here.times, here.seen]).toEqual([1, [6, 12]])
})

test('a caller cannot say how far has to be read', async () => {
  for (const path of ['/equipment', '/equipment/eq_1/traffic']) {
    const answer = await request(`${url}/api/v1${path}`, {
      headers: { authorization: `Bearer ${token}`, 'secsctl-position': '99.99' },
    })
    await answer.body.dump()
    expect(answer.statusCode).toBe(200)
  }
  expect([here.times, there.times]).toEqual([0, 0])
})
