import { X509Certificate } from 'node:crypto'
import { Problem } from '../../contract/errors.js'
import {
  type NewSink,
  SINK_KINDS,
  type SinkChange,
  type SinkKindName,
} from '../../contract/topics/sinks/sink.js'
import type { Journal } from '../../store/journal.js'
import { selectorGiven } from '../equipment/equipment-labels.js'
import { timeOf } from '../records/time-range.js'
import { allowedAddress } from './kinds/allowed-address.js'
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

/** Throws `invalid_request` for what a sink cannot have. `others`: all other sinks. */
export function refuseImpossible(
  change: SinkChange,
  kind: SinkRecord['kind'],
  { localTargets }: { readonly localTargets: boolean },
  others: readonly SinkRecord[],
): void {
  const { webhook, file, label_selector, secret } = change
  selectorGiven({ label_selector: label_selector ?? null }, '/label_selector')
  for (const other of SINK_KINDS)
    if (change[other] && other !== kind) throw invalid(`/${other}`, `is not of a sink of the kind ${kind}`)
  if (webhook) refuseWebhook(webhook, localTargets)
  if (file && /\.[0-9]+$/.test(file.file))
    throw invalid('/file/file', 'ends in a dot and digits, as the names of rotated files do')
  if (file && others.some((other) => other.file?.file === file.file))
    throw invalid('/file/file', 'is the file of another sink')
  if (!secret) return
  if (kind !== 'webhook') throw invalid('/secret', 'is only for webhooks')
  const { length } = Buffer.from(secret.slice('whsec_'.length), 'base64')
  if (length < KEY_BYTES.least || length > KEY_BYTES.most)
    throw invalid('/secret', `is not "whsec_" and ${KEY_BYTES.least} to ${KEY_BYTES.most} bytes in base64`)
}

function refuseWebhook({ url: given, ca }: NonNullable<NewSink['webhook']>, localTargets: boolean): void {
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) throw invalid('/webhook/url', 'is not an http or https URL')
  if (url.username || url.password) throw invalid('/webhook/url', 'may not have a user or a password')
  const local = url.hostname === 'localhost' ? allowedAddress('127.0.0.1') : allowedAddress(url.hostname)
  if (local && !localTargets) throw invalid('/webhook/url', `is refused: ${local.message}`)
  if (ca === undefined) return
  try {
    new X509Certificate(ca)
  } catch {
    throw invalid('/webhook/ca', 'is not a certificate in PEM')
  }
}

/** The position of a sink that starts there. Throws `invalid_request`. */
export async function positionAt(start: string, journal: Journal): Promise<number> {
  if (start === 'now') return journal.last
  if (start === 'oldest') return journal.first - 1
  const from = startTime(start)
  const end = journal.last
  const [first] = await journal.query({ from, order: 'asc', limit: 1 })
  return first ? first.seq - 1 : end
}

function startTime(start: string): string {
  try {
    return timeOf(start) ?? ''
  } catch {
    throw invalid('/start', 'is not now, oldest or an RFC 3339 time')
  }
}
