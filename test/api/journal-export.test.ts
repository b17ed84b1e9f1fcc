import { get, type IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ServedGateway } from '../support/served-gateway.js'
import { turns } from '../support/until.js'

const AT = '2026-01-01T00:00:00.000Z'

let gateway: ServedGateway
let app: FastifyInstance
let url: string
let token: string

beforeEach(async () => {
  gateway = new ServedGateway()
  app = await gateway.app()
  url = await app.listen({ port: 0, host: '127.0.0.1' })
  token = await gateway.tokenOf('admin')
})
afterEach(() => app.close())

const record = (count: number, key = 'eq_1', data: Record<string, string> = {}) =>
  gateway.journal.appendAll(
    Array.from({ length: count }, () => ({ key, type: 'state', name: 'control_state', at: AT, data })),
  )

const open = (query = ''): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` }
    get(`${url}/api/v1/journal/export${query}`, { headers, agent: false }, resolve).on('error', reject)
  })

/** All that comes, and whether it is the whole answer. */
async function taken(answer: IncomingMessage): Promise<{ seqs: number[]; isWhole: boolean }> {
  let text = ''
  let isWhole = true
  try {
    for await (const chunk of answer) text += String(chunk)
  } catch {
    isWhole = false
  }
  const lines = text.split('\n').slice(0, -1)
  return { seqs: lines.map((line) => (JSON.parse(line) as { seq: number }).seq), isWhole }
}

const upTo = (last: number, first = 1): number[] =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at)

test('every entry comes as one object a line, oldest first, and what is appended meanwhile is left out', async () => {
  await record(2000)
  const answer = await open()
  expect(answer.headers).toMatchObject({
    'content-type': 'application/x-ndjson; charset=utf-8',
    'cache-control': 'no-store',
  })
  await record(1)
  expect(await taken(answer)).toEqual({ seqs: upTo(2000), isWhole: true })
})

test('it takes a range of numbers and filters, and several equipments', async () => {
  await record(3, 'eq_1')
  await record(2, 'eq_2')
  await record(2, 'eq_3')
  expect((await taken(await open('?after=1&before=5'))).seqs).toEqual([2, 3, 4])
  expect((await taken(await open('?equipment_id=eq_2&equipment_id=eq_3'))).seqs).toEqual([4, 5, 6, 7])
  expect((await taken(await open('?equipment_id=eq_2'))).seqs).toEqual([4, 5])
  gateway.equipment.labels.set('eq_1', {})
  expect((await taken(await open('?equipment_id=etcher'))).seqs).toEqual([1, 2, 3])
  expect((await taken(await open('?type=alarm'))).seqs).toEqual([])
  expect((await taken(await open('?from=2026-01-02T00:00:00Z'))).seqs).toEqual([])
  expect((await open('?type=nonsense')).statusCode).toBe(400)
})

test('a selector selects by the labels that equipment has when the export begins', async () => {
  await record(2, 'eq_1')
  await record(2, 'eq_2')
  gateway.equipment.labels.set('eq_2', { area: 'etch' })
  expect((await taken(await open('?label_selector=area%3Detch'))).seqs).toEqual([3, 4])
  expect((await taken(await open('?label_selector=area%3Detch&equipment_id=eq_1'))).seqs).toEqual([])
  expect((await taken(await open('?label_selector=area%3Dlitho'))).seqs).toEqual([])
  expect((await open('?label_selector=area%3D(')).statusCode).toBe(400)
})

test('a reader that takes nothing has little read for it', async () => {
  await record(400, 'eq_1', { text: 'x'.repeat(100_000) })
  let read = 0
  const query = gateway.journal.query.bind(gateway.journal)
  gateway.journal.query = async (given) => {
    const found = await query(given)
    read += found.length
    return found
  }
  const answer = await open()
  await expect.poll(() => read).toBeGreaterThan(0)
  await turns(300)
  expect(read).toBeLessThan(150)
  expect(await taken(answer)).toEqual({ seqs: upTo(400), isWhole: true })
})

test('an answer that cannot be whole ends with a broken connection', async () => {
  await record(1500)
  const query = gateway.journal.query.bind(gateway.journal)
  gateway.journal.query = (given) =>
    (given.after ?? 0) >= 1000 ? Promise.reject(new Error('damaged')) : query(given)
  const { seqs, isWhole } = await taken(await open())
  expect({ isWhole, seqs: seqs.length < 1500 }).toEqual({ isWhole: false, seqs: true })
  gateway.journal.query = () => Promise.reject(new Error('damaged'))
  expect((await open()).statusCode).toBe(500)
})

test('an answer whose token is revoked meanwhile is cut, not ended', async () => {
  await record(400, 'eq_1', { text: 'x'.repeat(100_000) })
  const answer = await open()
  await gateway.accounts.logout(await gateway.accounts.authenticate(token))
  expect((await taken(answer)).isWhole).toBe(false)
})
