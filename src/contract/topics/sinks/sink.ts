import { type Static, Type } from 'typebox'
import {
  Flag,
  NullableText,
  named,
  namedInput,
  nullable,
  OptionalInteger,
  OptionalText,
  oneOf,
  Text,
  Time,
} from '../../schema.js'
import { MAX_SELECTOR } from '../../selector.js'
import { EVENT_NAMES, EVENT_TYPES } from '../events.js'
import { SINK_FORMATS, SinkMessage } from './sink-message.js'

export const SINK_KINDS = ['webhook', 'mqtt', 'sparkplug', 'kafka', 'file'] as const
export const KAFKA_MECHANISMS = ['plain', 'scram-sha-256', 'scram-sha-512'] as const
export type SinkKindName = (typeof SINK_KINDS)[number]

const Name = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$',
  description:
    'Unique name: 1 to 64 letters, digits, dots, underscores and hyphens, a letter or digit first.',
})

export const WebhookTarget = namedInput('WebhookTarget', {
  url: Type.String({
    pattern: '^https?://',
    maxLength: 2048,
    description:
      'Where messages are sent, by POST. Put no secret into it: all who read sinks see it, but for its query, which is stored sealed.',
  }),
  batch: OptionalInteger(
    [1, 1000],
    'Messages in one request. Default: 1, a CloudEvent (`application/cloudevents+json`). If it is more, each request is an array (`application/cloudevents-batch+json`).',
  ),
  gzip: Type.Optional(Flag('True: bodies are compressed with gzip.')),
  ca: OptionalText('PEM of the authorities that sign the certificate of the target.', { maxLength: 65_536 }),
})
export type WebhookTarget = Static<typeof WebhookTarget>

export const FileTarget = namedInput('FileTarget', {
  file: Type.String({
    pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$',
    description:
      'Name of the file, one message a line, in the folder of the daemon for sinks. No two sinks have the same.',
  }),
  max_bytes: OptionalInteger(
    [65_536, 1_099_511_627_776],
    'A file that is larger is renamed to FILE.1, and that to FILE.2. Default: 104857600.',
  ),
  keep: OptionalInteger([1, 1000], 'Renamed files that are kept. Default: 10.'),
})
export type FileTarget = Static<typeof FileTarget>

const Broker = {
  url: Type.String({
    pattern: '^mqtts?://',
    maxLength: 2048,
    description: 'The MQTT 5 broker: `mqtt://host:1883`, or `mqtts://host:8883` with TLS.',
  }),
  user: OptionalText('User name at the broker; its password is the `secret` of the sink.', {
    maxLength: 256,
  }),
  client_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      description: 'Client identifier. Default: `secsctl-` and the id of the sink.',
    }),
  ),
  ca: OptionalText('PEM of the authorities that sign the certificate of the broker.', { maxLength: 65_536 }),
}
/** Topics where a sink names no others. */
export const MQTT_TOPICS = {
  topic: 'secsctl/events/{equipment}/{name}',
  state_topic: 'secsctl/state/{equipment}',
  status_topic: 'secsctl/status/{sink}',
} as const
const Topic = (description: string) => OptionalText(description, { minLength: 1, maxLength: 1024 })

export const MqttTarget = namedInput('MqttTarget', {
  ...Broker,
  topic: Topic(
    `Topic of messages. Placeholders: \`{equipment}\` (name), \`{equipment_id}\`, \`{label.KEY}\`, \`{type}\`, \`{name}\` (such as \`alarm_set\`), \`{sink}\`, and with the format \`flat\` \`{message}\` (S6F11) and \`{event}\` (the collection event); \`_\` where there is none. Default: \`${MQTT_TOPICS.topic}\`.`,
  ),
  state_topic: Topic(
    `Topic of the last state of each equipment, a retained message. Placeholders: \`{equipment}\`, \`{equipment_id}\`, \`{label.KEY}\`, \`{sink}\`. Default: \`${MQTT_TOPICS.state_topic}\`.`,
  ),
  status_topic: Topic(
    `Topic of a retained message with \`online\`: true while the sink is connected; false by the will. Placeholder: \`{sink}\`. Default: \`${MQTT_TOPICS.status_topic}\`.`,
  ),
})
export type MqttTarget = Static<typeof MqttTarget>

const SparkplugPart = (description: string) =>
  Type.String({ minLength: 1, maxLength: 128, pattern: '^[^/+#]+$', description })
export const SparkplugTarget = namedInput('SparkplugTarget', {
  ...Broker,
  group: SparkplugPart('The group of the edge node.'),
  edge_node: Type.Optional(SparkplugPart('Id of the edge node. Default: the name of the sink.')),
})
export type SparkplugTarget = Static<typeof SparkplugTarget>

export const KafkaTarget = namedInput('KafkaTarget', {
  brokers: Type.String({
    pattern: '^[^\\s,]+(,[^\\s,]+)*$',
    maxLength: 2048,
    description:
      'Bootstrap servers, with commas between: `kafka-1:9092,kafka-2:9092`. The port is 9092 where none is given.',
  }),
  topic: Type.String({
    pattern: '^[A-Za-z0-9._-]{1,249}$',
    description: 'Topic of all messages. The key of a message is the id of the equipment.',
  }),
  tls: Type.Optional(Flag('True: the connections use TLS, also without `ca`.')),
  ca: OptionalText('PEM of the authorities that sign the certificates of the brokers; then TLS is used.', {
    maxLength: 65_536,
  }),
  user: OptionalText('User name at the brokers (SASL); its password is the `secret` of the sink.', {
    minLength: 1,
    maxLength: 256,
  }),
  mechanism: Type.Optional(
    oneOf(
      KAFKA_MECHANISMS,
      'SASL mechanism of `user`. Default: `scram-sha-512`. `plain` sends the password itself.',
    ),
  ),
  client_id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 128, description: 'Client id. Default: `secsctl`.' }),
  ),
})
export type KafkaTarget = Static<typeof KafkaTarget>

const Equipment = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
  maxItems: 400,
  description: 'Ids or names of equipment, or patterns such as `etch-*`. Null: all.',
})
const Selector = Type.String({
  minLength: 1,
  maxLength: MAX_SELECTOR,
  description: 'Only equipment with these labels, such as `area=etch,bay!=3`. Null: all.',
})
const Types = Type.Array(oneOf(EVENT_TYPES), {
  minItems: 1,
  maxItems: 4,
  description: 'Types of events. Null: all.',
})
const Names = Type.Array(oneOf(EVENT_NAMES), {
  minItems: 1,
  maxItems: 20,
  description: 'Names of events, such as `alarm_set`. Null: all.',
})
const Format = oneOf(
  SINK_FORMATS,
  '`event`: events as `GET /events` has them. `flat`: values by name, with units (FlatEvent). Default: `event`; of sparkplug always `flat`.',
)
const Secret = Type.String({
  minLength: 1,
  maxLength: 1024,
  description:
    'Of a webhook: the key of its signatures (Standard Webhooks), `whsec_` and 24 to 64 bytes in base64. Of mqtt, sparkplug and kafka: the password of `user`. It is never answered. Null: none. A change of the host or port of the target needs it again.',
})
const Start = Type.String({
  maxLength: 40,
  description:
    'Where delivery starts: `now` (default), `oldest`, or a time. In a change it moves the sink to there.',
})

/** Exactly one of them; a further kind is one more member. */
export const TARGETS = {
  webhook: Type.Optional(WebhookTarget),
  mqtt: Type.Optional(MqttTarget),
  sparkplug: Type.Optional(SparkplugTarget),
  kafka: Type.Optional(KafkaTarget),
  file: Type.Optional(FileTarget),
}

const GIVEN = {
  ...TARGETS,
  equipment: Type.Optional(nullable(Equipment)),
  label_selector: Type.Optional(nullable(Selector)),
  types: Type.Optional(nullable(Types)),
  names: Type.Optional(nullable(Names)),
  format: Type.Optional(Format),
  secret: Type.Optional(nullable(Secret)),
  start: Type.Optional(Start),
}
export const NewSink = namedInput('NewSink', { name: Name, ...GIVEN })
export type NewSink = Static<typeof NewSink>
export const SinkChange = namedInput('SinkChange', { name: Type.Optional(Name), ...GIVEN })
export type SinkChange = Static<typeof SinkChange>

export const Sink = named('Sink', {
  id: Type.String(),
  name: Name,
  kind: oneOf(SINK_KINDS),
  ...TARGETS,
  equipment: nullable(Equipment),
  label_selector: nullable(Selector),
  types: nullable(Types),
  names: nullable(Names),
  format: Format,
  signed: Flag('True: it has a secret: a webhook is signed, a broker gets a password.'),
  state: oneOf(
    ['active', 'failing', 'blocked', 'paused'],
    '`active`: delivers. `failing`: the last attempt failed, and is repeated. `blocked`: the list of dead letters is full, so nothing is delivered until some are retried. `paused`: by a call.',
  ),
  position: Text('Sequence number of the last entry of the journal that the sink has finished.'),
  lag_entries: Type.Integer({ minimum: 0, description: 'Entries of the journal after that.' }),
  lag_seconds: Type.Number({ minimum: 0, description: 'Age of the oldest of these entries; 0 without any.' }),
  delivered: Type.Integer({ minimum: 0, description: 'Messages delivered since the gateway started.' }),
  dead: Type.Integer({ minimum: 0, description: 'Dead letters.' }),
  last_delivered_at: nullable(Time('When the target last accepted a message; null since the start.')),
  last_error: nullable(
    Type.Object({
      detail: Text('What was wrong with the last attempt.'),
      attempts: Type.Integer({ minimum: 1, description: 'Failed attempts in a row.' }),
      at: Time('When it failed.'),
      retry_at: nullable(Time('When it is repeated.')),
    }),
  ),
  created_at: Time('When it was added.'),
  updated_at: Time('When it was last changed.'),
})
export type Sink = Static<typeof Sink>

export const SinkTest = named('SinkTest', {
  delivered: Flag('True: the target has accepted the message.'),
  detail: NullableText('Why not; null if it has.'),
  message: SinkMessage,
})
export type SinkTest = Static<typeof SinkTest>
