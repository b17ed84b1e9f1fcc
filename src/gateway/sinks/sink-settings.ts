import { X509Certificate } from 'node:crypto'
import { Problem } from '../../contract/errors.js'
import {
  type KafkaTarget,
  type MqttTarget,
  SINK_KINDS,
  type SinkChange,
  type SinkKindName,
} from '../../contract/topics/sinks/sink.js'
import type { SinkFormat } from '../../contract/topics/sinks/sink-message.js'
import { defined } from '../../kit/defined.js'
import type { Journal } from '../../store/journal.js'
import { selectorGiven } from '../equipment/equipment-labels.js'
import { timeOf } from '../records/time-range.js'
import { allowedAddress } from './kinds/allowed-address.js'
import { brokersOf } from './kinds/kafka/brokers.js'
import { TOPIC_PLACEHOLDERS, templateFault } from './kinds/mqtt/topic-template.js'
import type { SinkRecord } from './sink-record.js'

const KEY_BYTES = { least: 24, most: 64 }

const invalid = (pointer: string, detail: string): Problem =>
  new Problem('invalid_request', `${pointer.slice(1)} ${detail}.`, { errors: [{ pointer, detail }] })

/** The kind of the target that is given. Throws `invalid_request` unless there is exactly one. */
export function kindOf(given: SinkChange): SinkKindName {
  const [kind, ...others] = SINK_KINDS.filter((name) => given[name] !== undefined)
  if (kind && others.length === 0) return kind
  const detail = `a sink has exactly one of ${SINK_KINDS.join(', ')}`
  throw new Problem('invalid_request', `${detail}.`, { errors: [{ pointer: '', detail }] })
}

/**
 * Throws `invalid_request` for what a sink cannot have. `before`: its record, of a new sink only its kind.
 * `others`: all other sinks.
 */
export function refuseImpossible(
  change: SinkChange,
  before: Pick<SinkRecord, 'kind'> & Partial<SinkRecord>,
  { localTargets }: { readonly localTargets: boolean },
  others: readonly SinkRecord[],
): void {
  const { kind } = before
  const { webhook, mqtt, sparkplug, kafka, file, label_selector } = change
  selectorGiven({ label_selector: label_selector ?? null }, '/label_selector')
  for (const other of SINK_KINDS)
    if (change[other] && other !== kind) throw invalid(`/${other}`, `is not of a sink of the kind ${kind}`)
  if (webhook) refuseTarget('/webhook', webhook, ['http:', 'https:'], localTargets)
  for (const [pointer, broker] of [
    ['/mqtt', mqtt],
    ['/sparkplug', sparkplug],
  ] as const)
    if (broker) refuseTarget(pointer, broker, ['mqtt:', 'mqtts:'], localTargets)
  if (kafka) refuseBrokers(kafka, localTargets)
  const whole = { ...before, ...defined(change) }
  if (whole.mqtt) refuseTopics(whole.mqtt, whole.format ?? 'event')
  if (kind === 'sparkplug') refuseFilter(change)
  if (file && /\.[0-9]+$/.test(file.file))
    throw invalid('/file/file', 'ends in a dot and digits, as the names of rotated files do')
  if (file && others.some((other) => other.file?.file === file.file))
    throw invalid('/file/file', 'is the file of another sink')
  if (change.secret) refuseSecret(change.secret, whole)
}

function refuseSecret(
  secret: string,
  { kind, ...whole }: Pick<SinkRecord, 'kind'> & Partial<SinkRecord>,
): void {
  if (kind === 'file') throw invalid('/secret', 'is not for files')
  if (kind !== 'webhook') {
    if (whole[kind]?.user === undefined) throw invalid('/secret', `needs ${kind}.user, whose password it is`)
    return
  }
  const key = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)?.[1] ?? ''
  const { length } = Buffer.from(key, 'base64')
  if (length < KEY_BYTES.least || length > KEY_BYTES.most)
    throw invalid('/secret', `is not "whsec_" and ${KEY_BYTES.least} to ${KEY_BYTES.most} bytes in base64`)
}

/**
 * Throws `invalid_request` where a change has a stored secret sent to another host or port, or less protected: who changes
 * a sink need not know its secret.
 */
export function refuseOtherHost(change: SinkChange, before: SinkRecord): void {
  const { webhook, mqtt, sparkplug, kafka } = change
  const targets = defined({ webhook, mqtt, sparkplug, kafka })
  const isKept = change.secret === undefined && (before.secret !== null || before.unopened !== undefined)
  const known = new Set(destinations(before))
  if (isKept && destinations(targets).some((one) => !known.has(one)))
    throw invalid('/secret', 'is needed again, since the sink gets another host or port, or other protection')
}

/** Of the protocols of brokers; the ports of HTTP are those of the language. */
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'mqtt:': 1883, 'mqtts:': 8883 }

/** Where a secret goes, and how it is protected on its way. */
function destinations({
  webhook,
  mqtt,
  sparkplug,
  kafka,
}: Pick<SinkRecord, 'webhook' | 'mqtt' | 'sparkplug' | 'kafka'>): string[] {
  const { url } = webhook ?? mqtt ?? sparkplug ?? {}
  if (url !== undefined) {
    const { protocol, hostname, port } = new URL(url)
    return [`${protocol}//${hostname}:${port || DEFAULT_PORTS[protocol]}`]
  }
  if (!kafka) return []
  const { brokers, tls = false, ca, mechanism = 'scram-sha-512' } = kafka
  const protection = `${mechanism} ${tls || ca !== undefined ? 'TLS' : 'plain'}`
  return brokersOf(brokers).map(({ host, port }) => `${host}:${port} ${protection}`)
}

function refuseTarget(
  pointer: string,
  { url: given, ca }: { readonly url: string; readonly ca?: string },
  protocols: readonly string[],
  localTargets: boolean,
): void {
  const at = `${pointer}/url`
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (!url?.hostname || !protocols.includes(url.protocol))
    throw invalid(at, `is not a URL that begins with ${protocols.map((one) => `${one}//`).join(' or ')}`)
  if (url.username || url.password) throw invalid(at, 'may not have a user or a password')
  // As answers show it: a client may send back what it has read.
  if (url.search === '?...') throw invalid(at, 'lacks its query, which answers leave out')
  refuseHost(at, url.hostname, localTargets)
  refuseAuthorities(pointer, ca)
}

function refuseBrokers({ brokers, ca, user, mechanism }: KafkaTarget, localTargets: boolean): void {
  let addresses: ReturnType<typeof brokersOf>
  try {
    addresses = brokersOf(brokers)
  } catch (error) {
    throw invalid('/kafka/brokers', `is not a list of host:port: ${(error as Error).message}`)
  }
  for (const { host } of addresses) refuseHost('/kafka/brokers', host, localTargets)
  refuseAuthorities('/kafka', ca)
  if (mechanism && user === undefined) throw invalid('/kafka/mechanism', 'needs a user')
}

function refuseHost(pointer: string, host: string, localTargets: boolean): void {
  const local = allowedAddress(host === 'localhost' ? '127.0.0.1' : host)
  if (local && !localTargets) throw invalid(pointer, `is refused: ${local.message}`)
}

function refuseAuthorities(pointer: string, ca: string | undefined): void {
  if (ca === undefined) return
  try {
    new X509Certificate(ca)
  } catch {
    throw invalid(`${pointer}/ca`, 'is not a certificate in PEM')
  }
}

function refuseTopics(target: MqttTarget, format: SinkFormat): void {
  const allowed = { ...TOPIC_PLACEHOLDERS, topic: format === 'flat' ? undefined : TOPIC_PLACEHOLDERS.topic }
  for (const name of ['topic', 'state_topic', 'status_topic'] as const) {
    const template = target[name]
    const fault = template === undefined ? undefined : templateFault(template, allowed[name])
    if (fault) throw invalid(`/mqtt/${name}`, fault)
  }
}

/** Births and deaths of devices follow from events of all types. */
function refuseFilter({ types, names, format }: SinkChange): void {
  if (types) throw invalid('/types', 'is not for sparkplug')
  if (names) throw invalid('/names', 'is not for sparkplug')
  if (format === 'event') throw invalid('/format', 'is flat for sparkplug')
}

/** The position of a sink that starts there. Throws `invalid_request`. */
export async function positionAt(start: string, journal: Journal): Promise<number> {
  if (start === 'now') return journal.last
  if (start === 'oldest') return journal.first - 1
  const from = startTime(start)
  const { entries, readTo } = await journal.read({ from, order: 'asc', limit: 1 })
  return entries.length > 0 ? readTo - 1 : readTo
}

function startTime(start: string): string {
  try {
    return timeOf(start) ?? ''
  } catch {
    throw invalid('/start', 'is not now, oldest or an RFC 3339 time')
  }
}
