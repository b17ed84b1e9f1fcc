import { readFile } from 'node:fs/promises'
import { Flags } from '@oclif/core'
import { EVENT_NAMES, EVENT_TYPES } from '../../contract/topics/events.js'
import type { SinkChange } from '../../contract/topics/sinks/sink.js'
import { defined } from '../../kit/defined.js'
import { SELECTOR_FLAG, selectorGiven } from '../equipment/label-flags.js'
import { wrongUsage } from '../errors/failure.js'
import { readFault } from '../errors/file-fault.js'
import { parseTime } from '../input/durations.js'
import { EQUIPMENT_FLAG } from '../input/list-flags.js'
import { parseSize } from '../input/sizes.js'
import { readText } from '../input/standard-input.js'

const FORMATS = ['event', 'flat'] as const
const KAFKA_MECHANISMS = ['plain', 'scram-sha-256', 'scram-sha-512'] as const

/** What a sink is, for `sinks add` and `sinks update`. */
export const SINK_FLAGS = {
  webhook: Flags.string({
    helpValue: 'URL',
    exclusive: ['mqtt', 'sparkplug', 'kafka', 'file'],
    summary: 'Send to this URL by POST.',
  }),
  mqtt: Flags.string({
    helpValue: 'URL',
    exclusive: ['sparkplug', 'kafka', 'file'],
    summary: 'Publish to this MQTT 5 broker: mqtt://host:1883 or mqtts://host:8883.',
  }),
  sparkplug: Flags.string({
    helpValue: 'URL',
    exclusive: ['kafka', 'file'],
    dependsOn: ['group'],
    summary: 'Publish values to this MQTT 5 broker as Sparkplug B metrics.',
  }),
  kafka: Flags.string({
    helpValue: 'BROKERS',
    exclusive: ['file'],
    dependsOn: ['topic'],
    summary: 'Append to a topic of these Kafka brokers: kafka-1:9092,kafka-2:9092.',
  }),
  file: Flags.string({
    helpValue: 'NAME',
    summary: "Write lines to this file in the daemon's folder for sinks; a name, not a path.",
  }),
  'max-size': Flags.string({
    helpValue: 'SIZE',
    dependsOn: ['file'],
    summary: 'A file that is larger is renamed to NAME.1, and that to NAME.2; 100MiB unless given.',
  }),
  'keep-files': Flags.integer({
    min: 1,
    max: 1000,
    helpValue: 'N',
    dependsOn: ['file'],
    summary: 'How many renamed files are kept; 10 unless given.',
  }),
  batch: Flags.integer({
    min: 1,
    max: 1000,
    dependsOn: ['webhook'],
    helpValue: 'N',
    summary: 'Up to so many messages in one request; 1 unless given.',
  }),
  gzip: Flags.boolean({ dependsOn: ['webhook'], summary: 'Compress requests.' }),
  topic: Flags.string({
    helpValue: 'TOPIC',
    relationships: [{ type: 'some', flags: ['mqtt', 'kafka'] }],
    summary: 'Topic of messages; of mqtt such as fab/{label.bay}/{equipment}/{name}.',
  }),
  'state-topic': Flags.string({
    helpValue: 'TOPIC',
    dependsOn: ['mqtt'],
    summary: 'Topic of the last state of each equipment, which is retained.',
  }),
  'status-topic': Flags.string({
    helpValue: 'TOPIC',
    dependsOn: ['mqtt'],
    summary: 'Topic that says whether the sink is connected; retained.',
  }),
  group: Flags.string({
    helpValue: 'ID',
    dependsOn: ['sparkplug'],
    summary: 'Group of the Sparkplug edge node.',
  }),
  'edge-node': Flags.string({
    helpValue: 'ID',
    dependsOn: ['sparkplug'],
    summary: 'Id of the Sparkplug edge node; the name of the sink unless given.',
  }),
  user: Flags.string({
    helpValue: 'NAME',
    summary: 'User at the broker; --secret-file has its password.',
  }),
  mechanism: Flags.option({
    options: KAFKA_MECHANISMS,
    dependsOn: ['kafka', 'user'],
    summary: 'How the user logs in (SASL); scram-sha-512 unless given.',
  })(),
  'client-id': Flags.string({
    helpValue: 'ID',
    summary: 'Client identifier at the broker; one of its own unless given.',
  }),
  tls: Flags.boolean({ dependsOn: ['kafka'], summary: 'Use TLS; --target-ca implies it.' }),
  'target-ca': Flags.string({
    helpValue: 'FILE',
    summary: 'The authorities that sign the certificate of the target, PEM.',
  }),
  'secret-file': Flags.string({
    helpValue: 'FILE',
    summary: 'Key of signatures (whsec_ and base64), or password; - is standard input.',
  }),
  equipment: EQUIPMENT_FLAG,
  selector: SELECTOR_FLAG,
  type: Flags.option({
    options: EVENT_TYPES,
    multiple: true,
    multipleNonGreedy: true,
    summary: 'Only events of this type. May be repeated.',
  })(),
  name: Flags.option({
    options: EVENT_NAMES,
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'NAME',
    summary: 'Only events of this name, such as alarm_set. May be repeated.',
  })(),
  format: Flags.option({
    options: FORMATS,
    summary: 'event: as events list has them; flat: values by name, with units.',
  })(),
  start: Flags.string({
    helpValue: 'WHEN',
    summary: 'Begin now, at oldest, or at a time: 08:00, 2026-03-01, 2h for two hours ago.',
  }),
}

/** What `sinks update` takes away. */
export const CLEARING_FLAGS = {
  'no-equipment': Flags.boolean({ exclusive: ['equipment'], summary: 'All equipment again.' }),
  'no-selector': Flags.boolean({ exclusive: ['selector'], summary: 'Without a label selector.' }),
  'no-type': Flags.boolean({ exclusive: ['type'], summary: 'Events of all types again.' }),
  'no-name': Flags.boolean({ exclusive: ['name'], summary: 'Events of all names again.' }),
  'no-secret': Flags.boolean({ exclusive: ['secret-file'], summary: 'Without a signature or password.' }),
}

export const cleared = (flags: { readonly [Flag in keyof typeof CLEARING_FLAGS]: boolean }): SinkChange => ({
  ...(flags['no-equipment'] && { equipment: null }),
  ...(flags['no-selector'] && { label_selector: null }),
  ...(flags['no-type'] && { types: null }),
  ...(flags['no-name'] && { names: null }),
  ...(flags['no-secret'] && { secret: null }),
})

export interface SinkGiven {
  readonly webhook?: string | undefined
  readonly mqtt?: string | undefined
  readonly sparkplug?: string | undefined
  readonly kafka?: string | undefined
  readonly mechanism?: (typeof KAFKA_MECHANISMS)[number] | undefined
  readonly tls?: boolean | undefined
  readonly file?: string | undefined
  readonly 'max-size'?: string | undefined
  readonly 'keep-files'?: number | undefined
  readonly batch?: number | undefined
  readonly gzip?: boolean | undefined
  readonly topic?: string | undefined
  readonly 'state-topic'?: string | undefined
  readonly 'status-topic'?: string | undefined
  readonly group?: string | undefined
  readonly 'edge-node'?: string | undefined
  readonly user?: string | undefined
  readonly 'client-id'?: string | undefined
  readonly 'target-ca'?: string | undefined
  readonly 'secret-file'?: string | undefined
  readonly equipment?: readonly string[] | undefined
  readonly selector?: string | undefined
  readonly type?: readonly (typeof EVENT_TYPES)[number][] | undefined
  readonly name?: readonly string[] | undefined
  readonly format?: (typeof FORMATS)[number] | undefined
  readonly start?: string | undefined
}

/** The flags as the body of a call. */
export async function sinkGiven(
  flags: SinkGiven,
  { stdin, now }: { readonly stdin: NodeJS.ReadStream; readonly now: Date },
): Promise<SinkChange> {
  const { start, format } = flags
  const ca = flags['target-ca'] === undefined ? undefined : await readCa(flags['target-ca'])
  const secretFile = flags['secret-file']
  const secret =
    secretFile === undefined ? undefined : (await readText(stdin, secretFile, 'the secret')).trim()
  return {
    ...targetGiven(flags, ca),
    ...selectorGiven(flags.selector),
    ...defined({
      equipment: flags.equipment && [...flags.equipment],
      types: flags.type && [...flags.type],
      names: flags.name && [...flags.name],
      format,
      secret,
    }),
    ...(start !== undefined && {
      start: start === 'now' || start === 'oldest' ? start : parseTime(start, '--start', now),
    }),
  }
}

/** The target, where one is given. */
function targetGiven(flags: SinkGiven, ca: string | undefined): SinkChange {
  const { webhook, mqtt, sparkplug, kafka, file, batch, gzip, topic, group = '', user } = flags
  const { mechanism, tls } = flags
  const broker = { user, ca, client_id: flags['client-id'] }
  if (webhook !== undefined) return { webhook: defined({ url: webhook, batch, ca, ...(gzip && { gzip }) }) }
  if (mqtt !== undefined) {
    const topics = { topic, state_topic: flags['state-topic'], status_topic: flags['status-topic'] }
    return { mqtt: defined({ url: mqtt, ...topics, ...broker }) }
  }
  if (sparkplug !== undefined)
    return { sparkplug: defined({ url: sparkplug, group, edge_node: flags['edge-node'], ...broker }) }
  if (kafka !== undefined)
    return {
      kafka: defined({ brokers: kafka, topic: topic ?? '', mechanism, ...broker, ...(tls && { tls }) }),
    }
  if (user !== undefined || ca !== undefined || broker.client_id !== undefined)
    throw wrongUsage('--user, --client-id and --target-ca need the target that they are of')
  if (file === undefined) return {}
  const size = flags['max-size']
  const max_bytes = size === undefined ? undefined : parseSize(size, '--max-size', '64KiB')
  return { file: defined({ file, max_bytes, keep: flags['keep-files'] }) }
}

async function readCa(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw wrongUsage(`--target-ca cannot be read: ${readFault(error, path)}`)
  }
}

/** The members of the body by the flags that set them. */
export const SINK_WORDS = {
  '/name': 'the name',
  '/webhook/url': '--webhook',
  '/webhook/batch': '--batch',
  '/webhook/ca': '--target-ca',
  '/mqtt/url': '--mqtt',
  '/mqtt/topic': '--topic',
  '/mqtt/state_topic': '--state-topic',
  '/mqtt/status_topic': '--status-topic',
  '/mqtt/ca': '--target-ca',
  '/sparkplug/url': '--sparkplug',
  '/sparkplug/group': '--group',
  '/sparkplug/edge_node': '--edge-node',
  '/sparkplug/ca': '--target-ca',
  '/kafka/brokers': '--kafka',
  '/kafka/topic': '--topic',
  '/kafka/ca': '--target-ca',
  '/kafka/mechanism': '--mechanism',
  '/format': '--format',
  '/types': '--type',
  '/names': '--name',
  '/file/file': '--file',
  '/file/max_bytes': '--max-size',
  '/file/keep': '--keep-files',
  '/secret': '--secret-file',
  '/label_selector': '--selector',
  '/equipment': '--equipment',
  '/start': '--start',
}
