import { readFile } from 'node:fs/promises'
import type { Interfaces } from '@oclif/core'
import type { Sink, SinkChange } from '../../contract/topics/sinks/sink.js'
import {
  KAFKA_MECHANISMS,
  MQTT_TOPICS,
  SINK_KINDS,
  type SinkKindName,
  type SinkTarget,
} from '../../contract/topics/sinks/targets.js'
import { wrongUsage } from '../errors/failure.js'
import { readFault } from '../errors/file-fault.js'
import { choiceFlag, numberFlag, rare, switchFlag, textFlag } from '../input/flags.js'
import { parseSize } from '../input/sizes.js'

/** A kind of target: the flag of its name sets `address`, and other flags set further members. */
interface TargetRow<Target> {
  readonly address: keyof Target & string
  /** By the names of their flags. */
  readonly members: Readonly<Record<string, keyof Target & string>>
  /** Fields that `sinks show` has beside the address. */
  fields?(target: Target): readonly (readonly [string, string])[]
}

const BROKER = { user: 'user', 'client-id': 'client_id', 'target-ca': 'ca' } as const

/** Every kind of target. A further one is a row here, and its flags in `TARGET_FLAGS`. */
const ROWS: { readonly [Kind in SinkKindName]: TargetRow<SinkTarget<Kind>> } = {
  webhook: { address: 'url', members: { batch: 'batch', gzip: 'gzip', 'target-ca': 'ca' } },
  mqtt: {
    address: 'url',
    members: { topic: 'topic', 'state-topic': 'state_topic', 'status-topic': 'status_topic', ...BROKER },
    fields: ({ topic = MQTT_TOPICS.topic }) => [['topic', topic]],
  },
  sparkplug: { address: 'url', members: { group: 'group', 'edge-node': 'edge_node', ...BROKER } },
  kafka: {
    address: 'brokers',
    members: { topic: 'topic', mechanism: 'mechanism', tls: 'tls', ...BROKER },
  },
  file: { address: 'file', members: { 'max-size': 'max_bytes', 'keep-files': 'keep' } },
}

const rowOf = (kind: SinkKindName): TargetRow<unknown> => ROWS[kind] as TargetRow<unknown>

/** The flag that gives the address of a target: at most one of them. */
const address = (kind: SinkKindName, helpValue: string, summary: string, needed: string[] = []) =>
  textFlag(helpValue, summary, {
    exclusive: SINK_KINDS.slice(SINK_KINDS.indexOf(kind) + 1),
    dependsOn: needed,
  })

export const TARGET_FLAGS = {
  webhook: address('webhook', 'URL', 'Send to this URL by POST.'),
  mqtt: address('mqtt', 'URL', 'Publish to this MQTT 5 broker: mqtt://host:1883 or mqtts://host:8883.'),
  sparkplug: address('sparkplug', 'URL', 'Publish values to this MQTT 5 broker as Sparkplug B metrics.', [
    'group',
  ]),
  kafka: address('kafka', 'BROKERS', 'Append to a topic of these Kafka brokers: kafka-1:9092,kafka-2:9092.', [
    'topic',
  ]),
  file: address(
    'file',
    'NAME',
    "Write lines to this file in the daemon's folder for sinks; a name, not a path.",
  ),
  ...rare({
    'max-size': textFlag(
      'SIZE',
      'A file that is larger is renamed to NAME.1, and that to NAME.2; 100MiB unless given.',
    ),
    'keep-files': numberFlag('How many renamed files are kept; 10 unless given.', { min: 1, max: 1000 }),
    batch: numberFlag('Up to so many messages in one request; 1 unless given.', { min: 1, max: 1000 }),
    gzip: switchFlag('Compress requests.'),
  }),
  topic: textFlag('TOPIC', 'Topic of messages; of mqtt such as fab/{label.bay}/{equipment}/{name}.'),
  group: textFlag('ID', 'Group of the Sparkplug edge node.'),
  ...rare({
    'state-topic': textFlag('TOPIC', 'Topic of the last state of each equipment, which is retained.'),
    'status-topic': textFlag('TOPIC', 'Topic that says whether the sink is connected; retained.'),
    'edge-node': textFlag('ID', 'Id of the Sparkplug edge node; the name of the sink unless given.'),
  }),
  user: textFlag('NAME', 'User at the broker; --secret-file has its password.'),
  ...rare({
    mechanism: choiceFlag(KAFKA_MECHANISMS, 'How the user logs in (SASL); scram-sha-512 unless given.', {
      dependsOn: ['user'],
    }),
    'client-id': textFlag('ID', 'Client identifier at the broker; one of its own unless given.'),
    tls: switchFlag('Use TLS; --target-ca implies it.'),
    'target-ca': textFlag('FILE', 'The authorities that sign the certificate of the target, PEM.'),
  }),
}

export type TargetGiven = Partial<Interfaces.InferredFlags<typeof TARGET_FLAGS>>

const flagsOf = (kinds: readonly SinkKindName[]): string =>
  kinds
    .map((kind) => `--${kind}`)
    .join(', ')
    .replace(/, ([^,]*)$/, ' or $1')

/** The flags of all targets: `--webhook, ... or --file`. */
export const TARGET_NAMES = flagsOf(SINK_KINDS)

/** The target, where one is given. */
export async function targetGiven(given: TargetGiven): Promise<SinkChange> {
  const kind = SINK_KINDS.find((one) => given[one] !== undefined)
  refuseOthers(given, kind)
  if (kind === undefined) return {}
  const { 'target-ca': ca, 'max-size': size } = given
  const values: Readonly<Record<string, unknown>> = {
    ...given,
    'target-ca': ca && (await readCa(ca)),
    'max-size': size && parseSize(size, '--max-size', '64KiB'),
  }
  const row = rowOf(kind)
  const members = Object.entries(row.members)
    .map(([flag, member]) => [member, values[flag]] as const)
    .filter(([, value]) => value !== undefined && value !== false)
  return { [kind]: Object.fromEntries([[row.address, values[kind]], ...members]) }
}

/** Throws for flags of other kinds of targets. */
function refuseOthers(given: TargetGiven, kind: SinkKindName | undefined): void {
  const members = new Set(SINK_KINDS.flatMap((one) => Object.keys(rowOf(one).members)))
  for (const [flag, value] of Object.entries(given)) {
    const isUnused = !members.has(flag) || value === undefined || value === false
    if (isUnused || (kind && flag in rowOf(kind).members)) continue
    const kinds = SINK_KINDS.filter((one) => flag in rowOf(one).members)
    throw wrongUsage(`--${flag} needs ${flagsOf(kinds)}`)
  }
}

async function readCa(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw wrongUsage(`--target-ca cannot be read: ${readFault(error, path)}`)
  }
}

/** Members of targets by the flags that set them. */
export const TARGET_WORDS: Readonly<Record<string, string>> = Object.fromEntries(
  SINK_KINDS.flatMap((kind) => {
    const { address: member, members } = rowOf(kind)
    return [
      [`/${kind}/${member}`, `--${kind}`],
      ...Object.entries(members).map(([flag, name]) => [`/${kind}/${name}`, `--${flag}`]),
    ]
  }),
)

/** The address of a target: a URL, brokers, the name of a file. */
export const targetText = (sink: Sink): string =>
  String((sink[sink.kind] as Readonly<Record<string, unknown>>)[rowOf(sink.kind).address])

export const targetFields = (sink: Sink): readonly (readonly [string, string])[] =>
  rowOf(sink.kind).fields?.(sink[sink.kind]) ?? []
