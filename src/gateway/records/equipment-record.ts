import { isDeepStrictEqual } from 'node:util'
import type { Catalogue } from '../../catalogue/catalogue.js'
import {
  type COMMUNICATIONS,
  type ConnectionState,
  DEFAULT_TIMERS,
  type EquipmentChange,
  type LINKTEST_MODES,
  type NewEquipment,
  type Timers,
} from '../../contract/equipment.js'
import type { EquipmentLock } from '../../contract/equipment-lock.js'
import { type Fault, faultyRequest, Problem } from '../../contract/errors.js'
import { EQUIPMENT_ID_PREFIX } from '../../contract/schema.js'
import { isLabelKey, LABEL_KEY_RULE, type Labels, MAX_LABELS } from '../../contract/selector.js'
import { pointerStep } from '../../kit/text/json-text.js'
import { FORMAT_CODES } from '../../secs2/format.js'
import { textCodec } from '../../secs2/text.js'
import { addressFault, type PermittedNetworks } from './equipment-address.js'
import {
  DEFAULT_LINE,
  isSameLine,
  type LineSettings,
  lineAfter,
  lineFaults,
  type NetworkPlace,
  NO_PLACE,
  placeAfter,
} from './line-settings.js'

/** A lock as it is stored. */
export interface KeptLock extends EquipmentLock {
  /** The id of the user or API key that holds it. */
  readonly holder_id: string
  /** How long it was to last when it was last set. */
  readonly for_seconds: number
}

/** The record of an equipment on disk. */
export interface EquipmentRecord extends LineSettings, NetworkPlace {
  readonly id: string
  readonly name: string
  /** The equipment's own connect mode: the gateway's is the other one. */
  readonly mode: 'passive' | 'active'
  readonly device_id: number
  readonly session_id: number
  readonly timers: Timers
  readonly linktest_mode: (typeof LINKTEST_MODES)[number]
  /** Whether the gateway sends startup questions to the equipment. */
  readonly gem_startup: boolean
  readonly communication: (typeof COMMUNICATIONS)[number]
  readonly item_formats: Readonly<Record<string, string>>
  readonly text_encoding: string
  readonly labels: Labels
  /** When its serial port was given to it; left out where that was when it was registered. */
  readonly serial_port_since?: string | undefined
  /** The desired state: whether the gateway keeps it connected. */
  readonly enabled: boolean
  /** The last lock, which may have ended. */
  readonly lock?: KeptLock | undefined
  readonly revision: number
  readonly created_at: string
  readonly updated_at: string
}

const DEFAULT_LINKTEST_MODE = 'always'
const DEFAULT_COMMUNICATION = 'gem'
const DEFAULT_TEXT_ENCODING = 'latin1'

/** A record as it is stored: one of an older version lacks the fields that were added later. */
type Later = keyof LineSettings | 'linktest_mode' | 'gem_startup' | 'communication' | 'labels' | 'timers'
export type KeptRecord = Omit<EquipmentRecord, Later> &
  Partial<Omit<EquipmentRecord, 'timers'>> & { readonly timers: Partial<Timers> }

export const wholeRecord = (kept: KeptRecord): EquipmentRecord => ({
  linktest_mode: DEFAULT_LINKTEST_MODE,
  gem_startup: true,
  communication: DEFAULT_COMMUNICATION,
  labels: {},
  ...DEFAULT_LINE,
  ...kept,
  timers: { ...DEFAULT_TIMERS, ...kept.timers },
})

export function newEquipmentRecord(id: string, given: NewEquipment, at: string): EquipmentRecord {
  const line = lineAfter(DEFAULT_LINE, given)
  return {
    id,
    name: given.name,
    ...placeAfter(line.transport, NO_PLACE, given),
    ...line,
    mode: given.mode ?? 'passive',
    device_id: given.device_id ?? defaultDeviceId(given),
    session_id: given.session_id ?? HSMS_SS_SESSION_ID,
    timers: { ...DEFAULT_TIMERS, ...given.timers },
    linktest_mode: given.linktest_mode ?? DEFAULT_LINKTEST_MODE,
    gem_startup: given.gem_startup ?? true,
    communication: given.communication ?? DEFAULT_COMMUNICATION,
    item_formats: given.item_formats ?? {},
    text_encoding: given.text_encoding ?? DEFAULT_TEXT_ENCODING,
    labels: labelsAfter({}, given.labels),
    enabled: false,
    revision: 1,
    created_at: at,
    updated_at: at,
  }
}

/** E37.1's session ID of control messages. */
const HSMS_SS_SESSION_ID = 0xffff
const MAX_DEVICE_ID = 0x7fff

/** In HSMS-SS the session ID of data messages is the device ID: who gives only a session ID that can be one means it. */
const defaultDeviceId = ({ session_id }: NewEquipment): number =>
  session_id !== undefined && session_id <= MAX_DEVICE_ID ? session_id : 0

/** The labels, in the order of their keys, after a change in which null removes a label. */
export function labelsAfter(labels: Labels, change: EquipmentChange['labels'] = {}): Labels {
  const all = Object.entries({ ...labels, ...change }).sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== null))
}

/** The record with the change made, or the record itself when nothing in it is new. */
export function changedRecord(record: EquipmentRecord, change: EquipmentChange, at: string): EquipmentRecord {
  const line = lineAfter(record, change)
  const changed: EquipmentRecord = {
    ...record,
    name: change.name ?? record.name,
    ...placeAfter(line.transport, record, change),
    ...line,
    mode: change.mode ?? record.mode,
    device_id: change.device_id ?? record.device_id,
    session_id: change.session_id ?? record.session_id,
    timers: { ...record.timers, ...change.timers },
    linktest_mode: change.linktest_mode ?? record.linktest_mode,
    gem_startup: change.gem_startup ?? record.gem_startup,
    communication: change.communication ?? record.communication,
    item_formats: change.item_formats ?? record.item_formats,
    text_encoding: change.text_encoding ?? record.text_encoding,
    labels: change.labels === undefined ? record.labels : labelsAfter(record.labels, change.labels),
  }
  const isMoved = changed.serial_port !== record.serial_port
  return isDeepStrictEqual(changed, record)
    ? record
    : {
        ...changed,
        ...(isMoved && { serial_port_since: at }),
        revision: record.revision + 1,
        updated_at: at,
      }
}

/** True when the change is about the wire settings: it cannot be made while a connection uses the old ones. */
export const changesTheWire = (before: EquipmentRecord, after: EquipmentRecord): boolean =>
  before.ip_address !== after.ip_address ||
  before.port !== after.port ||
  before.mode !== after.mode ||
  before.device_id !== after.device_id ||
  before.session_id !== after.session_id ||
  before.linktest_mode !== after.linktest_mode ||
  !isSameLine(before, after) ||
  !isDeepStrictEqual(linkTimers(before), linkTimers(after))

/** Those that a connection uses. */
const linkTimers = ({ timers: { slow_reply: _, presence: __, ...timers } }: EquipmentRecord): object => timers

/** The formats that an item can be given: all but the list, which no single value can have. */
const OWN_FORMATS = Object.keys(FORMAT_CODES).filter((format) => format !== 'L')

/** What a change is checked against. */
export interface CheckedAgainst extends PermittedNetworks {
  readonly catalogue: Catalogue
}

/**
 * Checks what a schema cannot: that formats and encoding are known here, and that the address, where it differs from
 * that of the record `before`, is permitted. Throws `invalid_request`.
 */
export function refuseImpossible(
  change: Omit<EquipmentChange, 'revision'>,
  checked: CheckedAgainst,
  before?: EquipmentRecord,
): void {
  const errors = settingFaults(change, checked, before)
  if (errors.length > 0) throw faultyRequest('invalid_request', errors)
}

/** Where a path says the id of equipment, its name may stand as well. */
const nameFaults = (name: string): readonly Fault[] =>
  name.startsWith(EQUIPMENT_ID_PREFIX)
    ? [{ pointer: '/name', detail: `must not begin with ${EQUIPMENT_ID_PREFIX}, as ids do` }]
    : []

function formatFaults(item: string, format: string, catalogue: Catalogue): readonly Fault[] {
  const pointer = `/item_formats/${item}`
  if (!catalogue.item(item)) return [{ pointer, detail: 'is not an item of the catalogue' }]
  if (OWN_FORMATS.includes(format)) return []
  const why = format === 'L' ? 'cannot be a list: it is sent as' : `${format} is no SECS-II format:`
  return [{ pointer, detail: `${why} one of ${OWN_FORMATS.join(', ')}` }]
}

/** The same as a list. */
export function settingFaults(
  change: Omit<EquipmentChange, 'revision'>,
  { catalogue, equipmentNetworks }: CheckedAgainst,
  before?: EquipmentRecord,
): readonly Fault[] {
  const { item_formats = {}, text_encoding, labels = {} } = change
  const named = change.name !== undefined && change.name !== before?.name ? nameFaults(change.name) : []
  const errors: Fault[] = [
    ...named,
    ...Object.entries(item_formats).flatMap(([item, format]) => formatFaults(item, format, catalogue)),
  ]
  const line = lineAfter(before ?? DEFAULT_LINE, change)
  const place = placeAfter(line.transport, before ?? NO_PLACE, change)
  errors.push(...lineFaults({ ...line, ...place }, change))
  const { ip_address } = place
  const isKept = ip_address === null || ip_address === before?.ip_address
  const fault = isKept ? undefined : addressFault(ip_address, equipmentNetworks)
  if (fault !== undefined) errors.push({ pointer: '/ip_address', detail: fault })
  errors.push(...labelFaults(labels, before?.labels))
  return text_encoding === undefined ? errors : [...errors, ...encodingFaults(text_encoding)]
}

export function encodingFaults(encoding: string): readonly Fault[] {
  try {
    textCodec(encoding)
    return []
  } catch (error) {
    return [{ pointer: '/text_encoding', detail: (error as Error).message }]
  }
}

function labelFaults(change: NonNullable<EquipmentChange['labels']>, before: Labels = {}): readonly Fault[] {
  const count = Object.keys(labelsAfter(before, change)).length
  const tooMany =
    count > MAX_LABELS
      ? [{ pointer: '/labels', detail: `${count} labels: at most ${MAX_LABELS} are allowed` }]
      : []
  const keys = Object.keys(change).filter((key) => !isLabelKey(key))
  return [
    ...tooMany,
    ...keys.map((key) => ({
      pointer: `/labels${pointerStep(key)}`,
      detail: `"${key}" is not ${LABEL_KEY_RULE}`,
    })),
  ]
}

/** Throws `equipment_connected` where a connection uses the wire settings. */
export function refuseConnected({ name }: EquipmentRecord, state: ConnectionState): void {
  if (state !== 'SELECTED' && state !== 'NOT_SELECTED') return
  throw new Problem(
    'equipment_connected',
    `${name} is ${state}: address, port, transport, mode, device, session, timers and linktest mode cannot change now. Disconnect it first.`,
  )
}
