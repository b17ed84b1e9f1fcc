import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Certificate, expiryOf } from '../../src/api/certificate.js'
import { tapProcessMetrics } from '../../src/api/metrics/daemon-metrics.js'
import { equipmentMetrics } from '../../src/api/metrics/gateway-metrics.js'
import { type Metric, prometheusParts } from '../../src/api/metrics/prometheus-text.js'
import { Problem } from '../../src/contract/errors.js'
import { FIRST_CERTIFICATE, ISSUED_CERTIFICATE as LATER } from '../support/certificates.js'
import { sampleEquipment } from '../support/sample-equipment.js'
import { ServedGateway } from '../support/served-gateway.js'
import { until } from '../support/until.js'

const prometheusText = (metrics: readonly Metric[]): string => [...prometheusParts(metrics)].join('')

let gateway: ServedGateway
let app: FastifyInstance

beforeEach(async () => {
  gateway = new ServedGateway()
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

test('files in which damage was found are counted', async () => {
  expect((await app.inject('/readyz')).json()).toMatchObject({ damaged_files: 0 })
  gateway.damagedFiles = 2
  expect((await app.inject('/readyz')).json()).toMatchObject({ status: 'ok', damaged_files: 2 })
  expect((await app.inject('/metrics')).body).toContain('secsctl_damaged_files 2')
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

test('while states of equipment are not known, all other metrics are there', async () => {
  gateway.equipment.list = async () => {
    throw new Problem('store_unavailable', 'away')
  }
  gateway.ready = false
  const { statusCode, body } = await app.inject('/metrics')
  expect(statusCode).toBe(200)
  expect(body).toContain('secsctl_store_available 0')
  expect(body).not.toContain('secsctl_equipment_connected{')
})

test('a token closes the metrics; who sees all equipment by another token reads them, too', async () => {
  const closed = await gateway.app({ metricsToken: 'scrape-me' })
  const read = (token?: string) =>
    closed.inject({ url: '/metrics', headers: token ? { authorization: `Bearer ${token}` } : {} })
  expect((await read()).json()).toMatchObject({
    status: 401,
    detail: expect.stringMatching(/that of \/metrics.*or an API key/),
  })
  expect((await read('other')).json()).toMatchObject({ status: 401 })
  expect((await read('scrape-me')).statusCode).toBe(200)
  const admin = await gateway.accounts.authenticate(await gateway.tokenOf('admin'))
  const keyOf = async (name: string, label_selector: string | null) =>
    (await gateway.accounts.keys.create({ name, role: 'viewer', label_selector, expires_at: null }, admin))
      .key
  expect((await read(await keyOf('prometheus', null))).statusCode).toBe(200)
  expect((await read(await keyOf('etch', 'area=etch'))).json()).toMatchObject({
    status: 403,
    detail: expect.stringContaining('sees only some'),
  })
  await closed.close()
})

test('the metrics have what only the process knows: disk, certificate, version, store', async () => {
  const facts = {
    disk: async () => ({ free: 5, size: 7 }) as { free: number; size: number } | undefined,
    certificate: () => FIRST_CERTIFICATE as Certificate | undefined,
  }
  const known = await gateway.app({ facts })
  const lines = async () => (await known.inject('/metrics')).body.split('\n')
  const expires = Date.parse('2126-10-28T12:29:12Z') / 1000
  expect(await lines()).toEqual(
    expect.arrayContaining([
      'secsctl_build_info{version="1.2.3"} 1',
      'secsctl_store_available 1',
      'secsctl_standby 0',
      'secsctl_data_disk_free_bytes 5',
      'secsctl_data_disk_size_bytes 7',
      `secsctl_tls_certificate_expiry_timestamp_seconds ${expires}`,
    ]),
  )
  gateway.ready = false
  facts.disk = async () => undefined
  facts.certificate = () => undefined
  const less = await lines()
  expect(less).toContain('secsctl_store_available 0')
  expect(less.filter((line) => /^secsctl_(data_disk|tls)/.test(line))).toEqual([])
  await known.close()
})

test('the certificate of a chain that expires first counts', () => {
  const { cert } = FIRST_CERTIFICATE
  expect(expiryOf(LATER)).toBeGreaterThan(expiryOf({ cert }) ?? Number.NaN)
  for (const chain of [cert + LATER.cert, LATER.cert + cert])
    expect(expiryOf({ cert: chain })).toBe(expiryOf({ cert }))
  const unreadable = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'
  expect(expiryOf({ cert: cert + unreadable })).toBe(expiryOf({ cert }))
  expect(expiryOf({ cert: unreadable })).toBeUndefined()
})

test('without the store, all but the sinks is measured', async () => {
  await gateway.sinks.create({ name: 'mes', file: { file: 'events.ndjson' } })
  expect((await app.inject('/metrics')).body).toContain('secsctl_sink_active{sink="mes"')
  gateway.sinks.list = () => Promise.reject(new Error('The database does not respond.'))
  const failed = await app.inject('/metrics')
  expect(failed.statusCode).toBe(200)
  expect(failed.body).not.toContain('sink="mes"')
  gateway.sinks.list = () => new Promise(() => {})
  const before = gateway.clock.scheduled
  const waiting = app.inject('/metrics')
  await until(() => gateway.clock.scheduled > before)
  gateway.clock.advance(2000)
  expect((await waiting).body).toContain('secsctl_equipment_enabled{equipment="')
})

test('every equipment is measured by its name, and no longer once it is gone', async () => {
  const { body } = await app.inject('/metrics')
  expect(body).toContain(`secsctl_equipment_enabled{equipment="etcher"}`)
  expect(body).toContain(`secsctl_equipment_communicating{equipment="etcher"}`)
  expect(body).toContain(`secsctl_equipment_active_alarms{equipment="etcher"} 1`)
  expect(body).toContain(`secsctl_equipment_unacknowledged_alarms{equipment="etcher"} 2`)
  expect(body).toContain(`secsctl_equipment_last_message_timestamp_seconds{equipment="etcher"} 1767225600`)
  await gateway.equipment.delete('eq_1')
  expect((await app.inject('/metrics')).body).not.toContain('equipment="')
})

test('the labels of equipment have names that Prometheus takes', () => {
  const labels = { 'bay.no': '3', 'bay-no': '4', area: 'a "b"', spare: '' }
  const metrics = equipmentMetrics([sampleEquipment({ name: 'etch-1', labels })])
  expect(prometheusText(metrics.filter(({ name }) => name.endsWith('_labels')))).toContain(
    'secsctl_equipment_labels{equipment="etch-1",label_area="a \\"b\\"",label_bay_no_conflict1="4",label_bay_no_conflict2="3",label_spare=""} 1\n',
  )
})

test('a caller has as long for the header of a request with TLS as without', async () => {
  const secure = await gateway.app({ tls: FIRST_CERTIFICATE })
  const [plain, withTls] = [app.server, secure.server].map((server) => server.headersTimeout)
  expect(withTls).toBe(plain)
  expect(plain).toBeLessThan(secure.server.requestTimeout)
  await secure.close()
})

/** What a scraper understands: samples by the name of their metric. Throws for what it would refuse. */
function scraped(text: string): Map<string, { type: string; help: string; samples: string[] }> {
  const metrics = new Map<string, { type: string; help: string; samples: string[] }>()
  const series = new Set<string>()
  const sample =
    /^([a-zA-Z_:][\w:]*)(\{(?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\"n])*",?)*\})? (-?[\d.e+-]+|[+-]Inf|NaN|Nan)$/
  for (const line of text.split('\n').filter(Boolean)) {
    const [, word, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? []
    if (word === 'HELP') {
      if (metrics.has(name)) throw new Error(`${name} is told of twice`)
      metrics.set(name, { type: '', help: rest, samples: [] })
      continue
    }
    const found = word === 'TYPE' ? metrics.get(name) : undefined
    if (found) found.type = rest
    if (word) continue
    const [, sampled = '', labels = ''] = sample.exec(line) ?? []
    const of = metrics.get(sampled) ?? metrics.get(sampled.replace(/_(bucket|sum|count)$/, ''))
    if (!of?.type) throw new Error(`no HELP and TYPE before ${line}`)
    if (series.has(sampled + labels)) throw new Error(`twice: ${line}`)
    series.add(sampled + labels)
    of.samples.push(line)
  }
  return metrics
}

test('every metric has help and a type that goes with its name, and no sample comes twice', async () => {
  await app.inject('/healthz')
  await gateway.equipment.create({ name: 'a "b" \\ c', ip_address: '127.0.0.1', port: 5001 })
  const metrics = scraped((await app.inject('/metrics')).body)
  for (const [name, { type, help }] of metrics) {
    expect(help.length, name).toBeGreaterThan(5)
    if (name.startsWith('nodejs_') || name.startsWith('process_')) continue
    expect(name.endsWith('_total'), `${name}, a ${type}`).toBe(type === 'counter')
    expect(name, 'base units').not.toMatch(/_(ms|milliseconds|minutes|kb|kib)\b/)
    if (type === 'histogram') expect(name).toMatch(/_(seconds|bytes)$/)
  }
})

test('equipment is measured by its states, messages by what became of them, and the journal by its lag', async () => {
  const metrics = scraped((await app.inject('/metrics')).body)
  const samples = (name: string): string[] => metrics.get(`secsctl_${name}`)?.samples ?? []
  expect(samples('equipment_labels')).toEqual(['secsctl_equipment_labels{equipment="etcher"} 1'])
  expect(samples('equipment_connection_state')).toEqual([
    'secsctl_equipment_connection_state{equipment="etcher",state="NOT_CONNECTED"} 1',
  ])
  expect(samples('equipment_control_state')).toEqual([
    'secsctl_equipment_control_state{equipment="etcher",state="UNKNOWN"} 1',
  ])
  expect(samples('equipment_health')).toEqual(['secsctl_equipment_health{equipment="etcher",state="ok"} 1'])
  expect(samples('messages_total')).toEqual([
    'secsctl_messages_total{equipment="etcher",direction="sent"} 3',
    'secsctl_messages_total{equipment="etcher",direction="received"} 4',
  ])
  expect(samples('transactions_total')).toEqual([
    'secsctl_transactions_total{equipment="etcher",outcome="replied"} 2',
    'secsctl_transactions_total{equipment="etcher",outcome="timed_out"} 1',
  ])
  expect(samples('journal_lag_seconds')).toEqual(['secsctl_journal_lag_seconds 1.5'])
  expect(samples('journal_waiting')).toEqual(['secsctl_journal_waiting 2'])
  expect(metrics.get('secsctl_http_request_duration_seconds')?.type).toBe('histogram')
  expect(metrics.get('secsctl_hsms_round_trip_seconds')?.type).toBe('histogram')
})

test('of equipment with a tap it says whether both sides are connected; of their process, whether it answers', () => {
  const tap = {
    ...{ listen_port: 6000, host_address: '10.0.0.9', host_port: null },
    ...{ pause_seconds: 2, reads: 'short' as const, writes: false },
  }
  const link = { since: null, host: null, refused: 0, last_refused: null, unrecorded: 0 }
  const text = prometheusText(
    equipmentMetrics([
      sampleEquipment({ name: 'a', tap, tap_link: { ...link, state: 'connected' } }),
      sampleEquipment({ name: 'b', tap, tap_link: { ...link, state: 'waiting' } }),
      sampleEquipment({ name: 'c' }),
    ]),
  )
  expect(text.match(/^secsctl_tap_.*/gm)).toEqual([
    'secsctl_tap_connected{equipment="a"} 1',
    'secsctl_tap_connected{equipment="b"} 0',
    'secsctl_tap_state{equipment="a",state="connected"} 1',
    'secsctl_tap_state{equipment="b",state="waiting"} 1',
  ])
  const told = { version: '1', since: 5000, memoryBytes: 7, queueBytes: 3, queueLimit: 9 }
  const samples = (...given: Parameters<typeof tapProcessMetrics>) =>
    prometheusText(tapProcessMetrics(...given)).match(/^secsctl_.*/gm)
  expect(samples({ told }, true)).toEqual([
    'secsctl_tap_process_up 1',
    'secsctl_tap_process_start_time_seconds 5',
    'secsctl_tap_process_memory_bytes 7',
    'secsctl_tap_process_queue_bytes 3',
    'secsctl_tap_process_queue_limit_bytes 9',
  ])
  expect(samples(undefined, true)).toEqual(['secsctl_tap_process_up 0'])
  expect(samples(undefined, false)).toBeNull()
})
