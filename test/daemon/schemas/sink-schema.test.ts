import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import type { SinkMessage } from '../../../src/contract/topics/sinks/sink-message.js'
import { sinkSchema } from '../../../src/daemon/schemas/sink-schema.js'
import { A, B, L, U4 } from '../../../src/secs2/item.js'
import { entryOf, openSinks } from '../../gateway/sinks/open-sinks.js'
import { WebhookServer } from '../../gateway/sinks/webhook-server.js'
import { LiveGateway } from '../../support/live-gateway.js'
import { RetainedJournal } from '../../support/memory-store.js'
import { until } from '../../support/until.js'

type Message = SinkMessage & { readonly data: Record<string, unknown> }

const validators = Object.fromEntries(
  (['event', 'flat'] as const).map((format) => {
    const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true })
    ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    return [format, ajv.compile(sinkSchema(format))]
  }),
) as Record<'event' | 'flat', ReturnType<Ajv2020['compile']>>
const faults = (format: 'event' | 'flat', message: unknown) => {
  validators[format](message)
  return validators[format].errors ?? []
}

/** What sinks of both formats sent of connections, states, alarms and messages. */
async function sentMessages(): Promise<Record<'event' | 'flat', readonly Message[]>> {
  const live = await LiveGateway.open()
  const servers = { event: await WebhookServer.listen(), flat: await WebhookServer.listen() }
  for (const format of ['event', 'flat'] as const) {
    const { sinks } = live.gateway
    const { id } = await sinks.create({ name: format, webhook: { url: servers[format].url }, format })
    await sinks.test(id)
  }
  const { equipment } = await live.connectScripted()
  equipment.send(5, 1, L(B(0x81), U4(1), A('hot')))
  equipment.send(5, 1, L(B(0x01), U4(1), A('hot')))
  equipment.send(6, 11, L(U4(1), U4(2), L(L(U4(5), L(A('x'), U4(7))))))
  equipment.send(6, 13, L(U4(1), U4(2), L(L(U4(5), L(L(U4(8), A('x')), L(U4(9), L(U4(7))))))))
  await until(() =>
    Object.values(servers).every(({ messages }) => {
      const last = live.journal.last
      return messages.some(({ id }) => id.endsWith(`-${last}`)) && messages.length > 10
    }),
  )
  return {
    event: servers.event.messages as unknown as Message[],
    flat: servers.flat.messages as unknown as Message[],
  }
}

test('what sinks send has the schema of their format, and of no other', async () => {
  const sent = await sentMessages()
  for (const format of ['event', 'flat'] as const) {
    const types = new Set(sent[format].map(({ type }) => type))
    for (const type of ['test', 'selected', 'alarm_set', 'alarm_cleared', 'message_received'])
      expect(types).toContain(`secsctl.${type}`)
    for (const message of sent[format]) expect(faults(format, message)).toEqual([])
  }
  const [event, flat] = [sent.event, sent.flat].map((all) => all.find(({ type }) => /received/.test(type)))
  expect(faults('flat', event)).not.toEqual([])
  expect(faults('event', flat)).not.toEqual([])
})

test('a message that lacks a member, or has one of another type, does not have the schema', async () => {
  const sent = await sentMessages()
  const optional = ['subject', 'partitionkey']
  for (const format of ['event', 'flat'] as const) {
    const message = sent[format].find(({ type }) => type === 'secsctl.message_received') as Message
    for (const name of Object.keys(message)) {
      const { [name]: _, ...rest } = message as unknown as Record<string, unknown>
      expect(faults(format, rest).length > 0, name).toBe(!optional.includes(name))
      expect(faults(format, { ...message, [name]: 7 }), name).not.toEqual([])
    }
    for (const name of Object.keys(message.data)) {
      const { [name]: _, ...data } = message.data
      expect(faults(format, { ...message, data }), name).not.toEqual([])
      expect(faults(format, { ...message, data: { ...data, [name]: 7 } }), name).not.toEqual([])
    }
    expect(faults(format, { ...message, later: 1 })).toEqual([])
  }
})

test('a gap has the schema of both formats', async () => {
  const server = await WebhookServer.listen()
  const journal = new RetainedJournal()
  for (let n = 1; n <= 3; n++) await journal.append(entryOf('eq_a', n))
  const sinks = openSinks(journal)
  await sinks.begin()
  const { id } = await sinks.create({ name: 'mes', webhook: { url: server.url } })
  await sinks.pause(id)
  await sinks.update(id, { start: 'oldest' })
  journal.removeBefore(3)
  await sinks.resume(id)
  await until(() => server.messages.length === 2)
  expect(server.messages[0]).toMatchObject({ type: 'secsctl.gap', data: { from: '1', to: '2' } })
  for (const format of ['event', 'flat'] as const) expect(faults(format, server.messages[0])).toEqual([])
})

test('the example of the documentation has the schema', () => {
  const page = readFileSync(join('docs', 'sinks.md'), 'utf8')
  const examples = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text = '']) => JSON.parse(text))
  expect(examples).toHaveLength(2)
  const [message, flat] = examples
  expect(faults('event', message)).toEqual([])
  expect(faults('flat', { ...message, data: flat })).toEqual([])
})
