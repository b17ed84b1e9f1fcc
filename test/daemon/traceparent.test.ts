import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CloudEvent } from 'cloudevents'
import { afterEach, expect, test } from 'vitest'
import { GatewayClient } from '../../src/client/client.js'
import { endpoints } from '../../src/contract/endpoints.js'
import { daemonHere } from '../support/daemon-here.js'
import { startSimulator } from '../support/live-gateway.js'
import { until } from '../support/until.js'

const TRACE = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
const folder = mkdtempSync(join(tmpdir(), 'secsctl-traceparent-'))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A client whose calls have this header. */
const traced = ({ options }: GatewayClient, traceparent: string): GatewayClient =>
  new GatewayClient({ ...options, traceparent })

test('the trace context of a call is with its message, the reply, the end, the audit and the sink, also after a restart', async () => {
  const tool = await startSimulator()
  const first = await daemonHere(folder)
  const client = traced(first.client, TRACE)
  const { id } = await client.call(endpoints.createEquipment, {
    body: { name: 'etcher', ip_address: '127.0.0.1', port: tool.port, mode: 'passive' },
  })
  await client.call(endpoints.createSink, { body: { name: 'mes', file: { file: 'events.ndjson' } } })
  await first.client.call(endpoints.connectEquipment, { params: { id }, query: { wait: 60 } })
  const send = (by: GatewayClient) =>
    by.call(endpoints.sendMessage, { params: { id }, body: { stream: 1, function: 1 } })

  const sent = await send(client)
  expect([sent.message.traceparent, sent.reply?.traceparent]).toEqual([TRACE, TRACE])
  const { message_id } = await client.call(endpoints.sendTerminalText, {
    params: { id },
    body: { text: 'Hello' },
  })
  const plain = await send(first.client)
  expect([plain.message, plain.reply].filter((message) => message && 'traceparent' in message)).toEqual([])
  const ignored = await send(traced(first.client, `${TRACE}-more`))
  expect('traceparent' in ignored.message).toBe(false)

  const recorded = async (by: GatewayClient) => {
    const read = async (messageId: string | undefined) =>
      (await by.call(endpoints.getMessage, { params: { id: messageId ?? '' } })).traceparent
    const { items: audit } = await by.call(endpoints.listAudit, { query: { order: 'asc' } })
    const { items: events } = await by.call(endpoints.listEvents, {
      query: { type: ['message'], order: 'asc' },
    })
    return {
      messages: [await read(sent.message.id), await read(sent.reply?.id), await read(message_id)],
      audit: audit.flatMap(({ action, traceparent }) => (traceparent === TRACE ? [action] : [])).sort(),
      untraced: audit.flatMap(({ action, traceparent }) => (traceparent === null ? [action] : [])).sort(),
      events: events.flatMap(({ name, data }) => (data['traceparent'] === TRACE ? [name] : [])),
    }
  }
  const all = ['message_sent', 'message_received', 'message_ended']
  const expected = {
    messages: [TRACE, TRACE, TRACE],
    audit: ['createEquipment', 'createSink', 'sendMessage', 'sendTerminalText'],
    untraced: ['connectEquipment', 'login', 'sendMessage', 'sendMessage'],
    events: [...all, ...all],
  }
  expect(await recorded(first.client)).toEqual(expected)

  const file = join(folder, 'sinks', 'events.ndjson')
  const delivered = () =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => new CloudEvent(JSON.parse(line)))
  const endOf = ({ message }: typeof sent) =>
    delivered().find(({ type, data }) => {
      const { data: end } = data as unknown as { readonly data: { readonly message_id?: string } }
      return type === 'secsctl.message_ended' && end.message_id === message.id
    })
  // The last one: all others have been delivered before.
  const last = await until(() => endOf(ignored))
  expect([endOf(sent), endOf(plain), last].map((end) => end?.['traceparent'])).toEqual([
    TRACE,
    undefined,
    undefined,
  ])
  const types = delivered().flatMap(({ type, traceparent }) => (traceparent === TRACE ? [type] : []))
  expect(types).toEqual([...all, ...all].map((name) => `secsctl.${name}`))

  await first.stop()
  const again = await daemonHere(folder)
  const { untraced, ...kept } = expected
  expect(await recorded(again.client)).toEqual({ ...kept, untraced: [...untraced, 'login'].sort() })
})
