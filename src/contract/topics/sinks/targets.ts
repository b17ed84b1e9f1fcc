import { type Static, type TObject, Type } from 'typebox'
import { Flag, namedInput, OptionalInteger, OptionalText, oneOf } from '../../schema.js'

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

const FileTarget = namedInput('FileTarget', {
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

const MqttTarget = namedInput('MqttTarget', {
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

const SparkplugPart = (description: string) =>
  Type.String({ minLength: 1, maxLength: 128, pattern: '^[^/+#]+$', description })
const SparkplugTarget = namedInput('SparkplugTarget', {
  ...Broker,
  group: SparkplugPart('The group of the edge node.'),
  edge_node: Type.Optional(SparkplugPart('Id of the edge node. Default: the name of the sink.')),
})

export const KAFKA_MECHANISMS = ['plain', 'scram-sha-256', 'scram-sha-512'] as const

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

/** A sink has exactly one of them. */
export const TARGETS = {
  webhook: Type.Optional(WebhookTarget),
  mqtt: Type.Optional(MqttTarget),
  sparkplug: Type.Optional(SparkplugTarget),
  kafka: Type.Optional(KafkaTarget),
  file: Type.Optional(FileTarget),
}

export type SinkKindName = keyof typeof TARGETS
export const SINK_KINDS = Object.keys(TARGETS) as readonly SinkKindName[]

/** The target of a sink, under the name of its kind. */
export type SinkTargets = Static<TObject<typeof TARGETS>>
export type SinkTarget<Kind extends SinkKindName> = NonNullable<SinkTargets[Kind]>
