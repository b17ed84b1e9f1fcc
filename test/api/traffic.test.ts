import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Traffic } from '../../src/contract/topics/traffic.js'
import { NO_TRAFFIC, ServedGateway } from '../support/served-gateway.js'

const TRAFFIC: Traffic = {
  ...NO_TRAFFIC,
  in: {
    ...NO_TRAFFIC.in,
    frames: 12,
    bytes: 345,
    messages: [{ stream: 6, function: 11, name: 'S6F11 Event Report Send', frames: 7, bytes: 300 }],
    other_messages: { frames: 2, bytes: 28 },
    control: [{ name: 'Linktest.req', count: 3 }],
  },
  out: {
    ...NO_TRAFFIC.out,
    frames: 4,
    bytes: 56,
    rejects: [{ reason: 4, text: 'not selected', count: 1 }],
  },
  timeouts: [{ timer: 't3', count: 5 }],
  connects: 2,
  losses: [{ code: 'separated', count: 1 }],
  attempts_failed: 9,
  unrecorded: 0,
  round_trip: {
    count: 3,
    sum: 1.5,
    buckets: [
      { le: 0.001, count: 1 },
      { le: 10, count: 2 },
      { le: null, count: 3 },
    ],
  },
  open: 6,
}

const gateway = new ServedGateway()
let app: FastifyInstance

beforeAll(async () => {
  app = await gateway.app()
  gateway.counted = TRAFFIC
})
afterAll(() => app.close())

test('the counts of an equipment are read by its id', async () => {
  const headers = { authorization: `Bearer ${await gateway.tokenOf('viewer')}` }
  const answer = await app.inject({ url: '/api/v1/equipment/eq_1/traffic', headers })
  expect(answer.json()).toEqual(TRAFFIC)
  const missing = await app.inject({ url: '/api/v1/equipment/eq_9/traffic', headers })
  expect(missing.json()).toMatchObject({ status: 404, code: 'equipment_not_found' })
})

test('the same counts are metrics, by the name of the equipment', async () => {
  const lines = (await app.inject('/metrics')).body.split('\n')
  expect(lines).toEqual(
    expect.arrayContaining([
      '# TYPE secsctl_hsms_frames_total counter',
      'secsctl_hsms_frames_total{equipment="etcher",direction="in"} 12',
      'secsctl_hsms_frames_total{equipment="etcher",direction="out"} 4',
      'secsctl_hsms_bytes_total{equipment="etcher",direction="in"} 345',
      'secsctl_hsms_messages_total{equipment="etcher",direction="in",message="S6F11"} 7',
      'secsctl_hsms_messages_total{equipment="etcher",direction="in",message="other"} 2',
      'secsctl_hsms_control_messages_total{equipment="etcher",direction="in",message="Linktest.req"} 3',
      'secsctl_hsms_rejects_total{equipment="etcher",direction="out",reason="4"} 1',
      'secsctl_hsms_timeouts_total{equipment="etcher",timer="t3"} 5',
      'secsctl_hsms_connects_total{equipment="etcher"} 2',
      'secsctl_hsms_connection_losses_total{equipment="etcher",code="separated"} 1',
      'secsctl_hsms_failed_attempts_total{equipment="etcher"} 9',
      'secsctl_hsms_open_transactions{equipment="etcher"} 6',
      '# TYPE secsctl_hsms_round_trip_seconds histogram',
      'secsctl_hsms_round_trip_seconds_bucket{equipment="etcher",le="0.001"} 1',
      'secsctl_hsms_round_trip_seconds_bucket{equipment="etcher",le="10"} 2',
      'secsctl_hsms_round_trip_seconds_bucket{equipment="etcher",le="+Inf"} 3',
      'secsctl_hsms_round_trip_seconds_sum{equipment="etcher"} 1.5',
      'secsctl_hsms_round_trip_seconds_count{equipment="etcher"} 3',
      'secsctl_hsms_refused_connections_total{reason="stranger"} 3',
      'secsctl_hsms_refused_connections_total{reason="surplus"} 1',
      'secsctl_hsms_refused_connections_total{reason="proxy_header"} 2',
      'secsctl_hsms_refused_connections_total{reason="unowned"} 4',
      'secsctl_hsms_forwarded_connections 5',
    ]),
  )
})

test('a name with quotes does not break the metrics, and no metric is reported twice', async () => {
  await gateway.equipment.update('eq_1', { name: 'a "b" \\c' })
  const { body } = await app.inject('/metrics')
  await gateway.equipment.update('eq_1', { name: 'etcher' })
  expect(body).toContain(String.raw`secsctl_hsms_connects_total{equipment="a \"b\" \\c"} 2`)
  const types = body.split('\n').filter((line) => line.startsWith('# TYPE'))
  expect(new Set(types).size).toBe(types.length)
})
