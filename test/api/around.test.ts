import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { TestGateway } from '../support/test-gateway.js'

let gateway: TestGateway
let app: FastifyInstance

beforeEach(async () => {
  gateway = new TestGateway()
  app = await gateway.app()
})
afterEach(() => app.close())

test('the process is alive, and ready for as long as records reach the disk', async () => {
  expect((await app.inject('/healthz')).json()).toEqual({ status: 'ok' })
  expect((await app.inject('/readyz')).statusCode).toBe(200)
  gateway.ready = false
  expect((await app.inject('/readyz')).json()).toMatchObject({ status: 503, code: 'store_unavailable' })
  expect((await app.inject('/healthz')).statusCode).toBe(200)
})

test('requests are counted by route, never by the path that was asked for', async () => {
  await app.inject('/api/v1/equipment/eq_secret')
  await app.inject('/nowhere/at/all')
  const { body, headers } = await app.inject('/metrics')
  expect(headers['content-type']).toContain('text/plain')
  expect(body).toContain(
    'secsctl_http_requests_total{method="GET",route="/api/v1/equipment/:id",status="401"} 1',
  )
  expect(body).toContain('route="unknown",status="404"} 1')
  expect(body).not.toMatch(/eq_secret|nowhere/)
  expect(body).toContain('process_cpu_seconds_total')
})

test('a token closes the metrics', async () => {
  const closed = await gateway.app({ metricsToken: 'scrape me' })
  const statusOf = async (headers: Record<string, string>) =>
    (await closed.inject({ url: '/metrics', headers })).statusCode
  expect(await statusOf({})).toBe(401)
  expect(await statusOf({ authorization: 'Bearer other' })).toBe(401)
  await closed.close()
  const open = await gateway.app({ metricsToken: 'scrape-me' })
  expect(
    (await open.inject({ url: '/metrics', headers: { authorization: 'Bearer scrape-me' } })).statusCode,
  ).toBe(200)
  await open.close()
})

test('every equipment is measured by its name, and no longer once it is gone', async () => {
  const [id] = [...gateway.records.keys()]
  const record = gateway.records.get(id ?? '')
  const { body } = await app.inject('/metrics')
  expect(body).toContain(`secsctl_equipment_enabled{equipment="${record?.name}"}`)
  expect(body).toContain(`secsctl_equipment_communicating{equipment="${record?.name}"}`)
  gateway.records.clear()
  expect((await app.inject('/metrics')).body).not.toContain('equipment="')
})

test('a caller has as long for the header of a request with TLS as without', async () => {
  const secure = await gateway.app({ tls: { cert: '', key: '' } })
  const [plain, withTls] = [app.server, secure.server].map((server) => server.headersTimeout)
  expect(withTls).toBe(plain)
  expect(plain).toBeLessThan(secure.server.requestTimeout)
  await secure.close()
})
