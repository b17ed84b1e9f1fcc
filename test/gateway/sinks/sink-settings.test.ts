import { expect, test } from 'vitest'
import type { SinkChange } from '../../../src/contract/topics/sinks/sink.js'
import type { SinkRecord } from '../../../src/gateway/sinks/sink-record.js'
import {
  kindOf,
  positionAt,
  refuseImpossible,
  refuseOtherHost,
} from '../../../src/gateway/sinks/sink-settings.js'
import { RetainedJournal } from '../../support/memory-store.js'
import { entryOf } from './open-sinks.js'

/** The place of what is refused; undefined where nothing is. */
function placeOf(refuse: () => unknown): string | undefined {
  try {
    refuse()
    return undefined
  } catch (error) {
    expect(error).toMatchObject({ code: 'invalid_request' })
    return (error as { extra: { errors: { pointer: string }[] } }).extra.errors[0]?.pointer
  }
}

const webhook = { url: 'https://mes.test/hook' }
const mqtt = { url: 'mqtts://b.test', user: 'u' }
const flat = { url: mqtt.url, topic: 'site/{message}' }
const sparkplug = { ...mqtt, group: 'g' }
const kafka = { brokers: 'k1:9092', topic: 't', user: 'u' }
const file = { file: 'events' }
const keyOf = (bytes: number): string => `whsec_${Buffer.alloc(bytes).toString('base64')}`

test('the kind of a sink is that of its one target', () => {
  expect(kindOf({ webhook })).toBe('webhook')
  expect(kindOf({ name: 'x', file })).toBe('file')
  expect(placeOf(() => kindOf({ name: 'x' }))).toBe('')
  expect(placeOf(() => kindOf({ webhook, file }))).toBe('')
})

const OTHERS = [{ webhook }, { file: { file: 'taken' } }] as unknown as SinkRecord[]

type Impossible = [kind: SinkRecord['kind'], change: object, before: object, place: string | undefined]

test.each<Impossible>([
  ['webhook', { webhook }, {}, undefined],
  ['webhook', { name: 'x' }, { webhook }, undefined],
  ['webhook', { label_selector: 'area=etch' }, { webhook }, undefined],
  ['webhook', { label_selector: null }, { webhook }, undefined],
  ['webhook', { label_selector: 'area=' + '(' }, { webhook }, '/label_selector'],
  ['webhook', { file }, { webhook }, '/file'],
  ['webhook', { webhook, names: ['alarm_set'] }, {}, undefined],
  ['webhook', { webhook, types: ['alarm'], names: ['control_state'] }, {}, '/names'],
  ['webhook', { webhook, messages: ['S6F11'], names: ['alarm_set'] }, {}, '/names'],
  ['webhook', { webhook, messages: ['S6F11'], names: ['message_received'] }, {}, undefined],
  ['webhook', { names: ['alarm_set'] }, { webhook, messages: ['S6F11'] }, '/names'],
  ['webhook', { webhook: { url: 'https://127.0.0.1' } }, {}, '/webhook/url'],
  ['webhook', { name: 'x' }, { webhook: { url: 'https://127.0.0.1' } }, undefined],
  ['webhook', { webhook: { ...webhook, ca: 'x' } }, {}, '/webhook/ca'],
  ['mqtt', { mqtt, secret: 'pw' }, {}, undefined],
  ['mqtt', { mqtt: flat }, {}, '/mqtt/topic'],
  ['mqtt', { mqtt: flat }, { format: 'flat' }, undefined],
  ['mqtt', { mqtt: flat, format: 'flat' }, {}, undefined],
  ['mqtt', { format: 'event' }, { mqtt: flat, format: 'flat' }, '/mqtt/topic'],
  ['mqtt', { secret: 'pw' }, { mqtt }, undefined],
  ['mqtt', { secret: 'pw' }, { mqtt: { url: mqtt.url } }, '/secret'],
  ['mqtt', { mqtt: { ...mqtt, url: 'http://b.test' } }, {}, '/mqtt/url'],
  ['sparkplug', { sparkplug: { ...sparkplug, url: 'http://b.test' } }, {}, '/sparkplug/url'],
  ['kafka', { kafka, secret: 'pw' }, {}, undefined],
  ['kafka', { kafka: { brokers: 'k1', topic: 't' }, secret: 'pw' }, {}, '/secret'],
  ['webhook', { webhook, secret: keyOf(23) }, {}, '/secret'],
  ['webhook', { webhook, secret: keyOf(24) }, {}, undefined],
  ['webhook', { webhook, secret: keyOf(64) }, {}, undefined],
  ['webhook', { webhook, secret: keyOf(65) }, {}, '/secret'],
  ['webhook', { webhook, secret: keyOf(24).slice(1) }, {}, '/secret'],
  ['webhook', { webhook, secret: `${keyOf(24)}!` }, {}, '/secret'],
  [
    'mqtt',
    { mqtt: { ...mqtt, topic: '{name}/{label.x}', state_topic: '{equipment_id}', status_topic: '{sink}' } },
    {},
    undefined,
  ],
  ['mqtt', { mqtt: { ...mqtt, state_topic: '{name}' } }, {}, '/mqtt/state_topic'],
  ['mqtt', { mqtt: { ...mqtt, status_topic: '{equipment}' } }, {}, '/mqtt/status_topic'],
  ['sparkplug', { sparkplug, format: 'flat', secret: 'pw' }, {}, undefined],
  ['sparkplug', { sparkplug, format: 'event' }, {}, '/format'],
  ['sparkplug', { sparkplug, types: ['alarm'] }, {}, '/types'],
  ['sparkplug', { sparkplug, names: ['alarm_set'] }, {}, '/names'],
  ['kafka', { kafka: { ...kafka, brokers: 'k1:0' } }, {}, '/kafka/brokers'],
  ['kafka', { kafka: { ...kafka, brokers: 'k1,127.0.0.1' } }, {}, '/kafka/brokers'],
  ['kafka', { kafka: { ...kafka, ca: 'x' } }, {}, '/kafka/ca'],
  ['kafka', { kafka: { ...kafka, mechanism: 'plain' } }, {}, undefined],
  ['kafka', { kafka: { brokers: 'k1', topic: 't', mechanism: 'plain' } }, {}, '/kafka/mechanism'],
  ['file', { file, secret: 'pw' }, {}, '/secret'],
  ['file', { file: { file: 'events.12' } }, {}, '/file/file'],
  ['file', { file: { file: 'events.12a' } }, {}, undefined],
  ['file', { file: { file: '12' } }, {}, undefined],
  ['file', { file: { file: 'taken' } }, {}, '/file/file'],
])('of a %s sink %j, before %j, has its fault at %s', (kind, change, before, place) => {
  const refuse = () =>
    refuseImpossible(change as SinkChange, { kind, ...before }, { localTargets: false }, OTHERS)
  expect(placeOf(refuse)).toBe(place)
})

test.each<[before: object, change: object, place: string | undefined]>([
  [{ webhook, secret: 's' }, { webhook: { url: 'https://mes.test/other' } }, undefined],
  [{ webhook, secret: 's' }, { webhook: { url: 'https://other.test/hook' } }, '/secret'],
  [{ webhook, secret: 's' }, { webhook: { url: 'http://mes.test/hook' } }, '/secret'],
  [{ webhook, secret: null }, { webhook: { url: 'https://other.test' } }, undefined],
  [{ webhook, secret: null, unopened: 'sealed' }, { webhook: { url: 'https://other.test' } }, '/secret'],
  [{ webhook, secret: 's' }, { webhook: { url: 'https://other.test' }, secret: 'new' }, undefined],
  [{ webhook, secret: 's' }, { name: 'x' }, undefined],
  [{ kind: 'kafka', kafka, secret: 's' }, { kafka: { ...kafka, tls: true } }, '/secret'],
  [{ kind: 'kafka', kafka, secret: 's' }, { kafka: { ...kafka, ca: 'x' } }, '/secret'],
  [{ kind: 'kafka', kafka, secret: 's' }, { kafka: { ...kafka, mechanism: 'plain' } }, '/secret'],
  [
    { kind: 'kafka', kafka, secret: 's' },
    { kafka: { ...kafka, tls: false, mechanism: 'scram-sha-512' } },
    undefined,
  ],
  [{ kind: 'file', file, secret: 's' }, { file: { file: 'x' } }, undefined],
  [{ kind: 'kafka', kafka, secret: 's' }, { kafka: { ...kafka, brokers: 'k1:9092,k2:9092' } }, '/secret'],
])('of a sink with %j a change to %j has its fault at %s', (before, change, place) => {
  const record = { kind: 'webhook', ...before } as unknown as SinkRecord
  expect(placeOf(() => refuseOtherHost(change as SinkChange, record))).toBe(place)
})

test.each<[start: string, position: number]>([
  ['now', 5],
  ['oldest', 2],
  ['2026-01-01T00:00:00Z', 2],
  ['2026-01-01T00:00:03.000Z', 3],
  ['2026-01-01T00:00:03.5Z', 4],
  ['2026-01-01T01:00:04+01:00', 4],
  ['2027-01-01T00:00:00Z', 5],
])('a sink that starts at %s is at %i', async (start, position) => {
  const journal = new RetainedJournal()
  for (const n of [0, 1, 2, 3, 4]) await journal.append(entryOf('eq_a', n))
  journal.removeBefore(3)
  expect(await positionAt(start, journal)).toBe(position)
})

test('a start that is no time is refused', async () => {
  await expect(positionAt('yesterday', new RetainedJournal())).rejects.toMatchObject({
    code: 'invalid_request',
    extra: { errors: [{ pointer: '/start' }] },
  })
})
