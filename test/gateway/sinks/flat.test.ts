import { expect, test } from 'vitest'
import { A, B, L, U4 } from '../../../src/secs2/item.js'
import { ADA, LiveGateway } from '../../support/live-gateway.js'
import { until } from '../../support/until.js'
import { WebhookServer } from './webhook-server.js'

test('a flat report says that it has values whose variables are not known', async () => {
  const live = await LiveGateway.open()
  const server = await WebhookServer.listen()
  const { equipment } = await live.connectScripted()
  await live.gateway.sinks.create({ name: 'lake', webhook: { url: server.url }, format: 'flat' })
  equipment.send(6, 11, L(U4(1), U4(2), L(L(U4(5), L(A('x'), U4(7))))))
  // S6F13 names its variables.
  equipment.send(6, 13, L(U4(1), U4(2), L(L(U4(5), L(L(U4(8), A('x')), L(U4(9), U4(7)))))))
  await until(() => server.messages.some(({ data }) => data['message'] === 'S6F13'))
  const of = (topic: string) => server.messages.find(({ data }) => data['message'] === topic)?.data
  expect(of('S6F11')).toMatchObject({ event: '2', values: {}, units: {}, whole: false })
  expect(of('S6F13')).toMatchObject({ event: '2', values: { 8: 'x', 9: 7 }, units: {}, whole: true })
})

test('the trace context of an acknowledgement is an attribute of the message, and no value', async () => {
  const live = await LiveGateway.open()
  const server = await WebhookServer.listen()
  const { equipment } = await live.connectScripted()
  await live.gateway.sinks.create({ name: 'lake', webhook: { url: server.url }, format: 'flat' })
  equipment.send(5, 1, L(B(0x84), U4(7), A('Hot')))
  await equipment.next()
  const [alarm] = (await live.gateway.alarms.list({})).items
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
  await live.gateway.alarms.acknowledge(alarm?.id ?? '', ADA, { comment: 'Seen', traceparent })
  const sent = await until(() => server.messages.find(({ type }) => type === 'secsctl.alarm_acknowledged'))
  expect(sent).toMatchObject({ traceparent, data: { values: { comment: 'Seen' } } })
  expect(sent.data).not.toHaveProperty('values.traceparent')
})
