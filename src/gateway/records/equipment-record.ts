import { isDeepStrictEqual } from 'node:util'
import type { Catalogue } from '../../catalogue/catalogue.js'
import {
  type ConnectionState,
  DEFAULT_TIMERS,
  type EquipmentChange,
  type NewEquipment,
  type Timers,
} from '../../contract/equipment.js'
import type { EquipmentLock } from '../../contract/equipment-lock.js'
import { type Fault, faultyRequest, Problem } from '../../contract/errors.js'
import { EQUIPMENT_ID_PREFIX, NO_EQUIPMENT_NAMES } from '../../contract/schema.js'
import { isLabelKey, LABEL_KEY_RULE, type Labels, MAX_LABELS } from '../../contract/selector.js'
import { isTapInUse, tapInUseText } from '../../contract/tap-words.js'
import {
  type EquipmentSettings,
  INITIAL_SETTINGS,
  isSameWire,
  settingsAfter,
} from '../../contract/topics/equipment/equipment-settings.js'
import {
  isSameTapWire,
  type Tap,
  tapAfter,
  tapFaults,
} from '../../contract/topics/equipment/equipment-tap.js'
import { isIpAddress } from '../../kit/ip-networks.js'
import { isJsonObject } from '../../kit/text/json.js'
import { pointerStep } from '../../kit/text/json-text.js'
import { FORMAT_CODES } from '../../secs2/format.js'
import { textCodec } from '../../secs2/text.js'
import { addressFault, type PermittedNetworks } from './equipment-address.js'
import { type EquipmentPlace, NO_PLACE, placeAfter, placeFaults } from './equipment-place.js'
import { tapLoopFaults } from './tap-loop.js'

/** A lock as it is stored. */
export interface KeptLock extends EquipmentLock {
  /** The id of the user or API key that holds it. */
  readonly holder_id: string
  /** How long it was to last when it was last set. */
  readonly for_seconds: number
}

/** The record of an equipment on disk. */
export interface EquipmentRecord extends EquipmentSettings, EquipmentPlace {
  readonly id: string
  readonly name: string
  readonly timers: Timers
  readonly labels: Labels
  /** The host with which it is shared; null where the gateway is its host. */
  readonly tap: Tap | null
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

/** A record as it is stored: one of an older version lacks the fields that were added later. */
type Later = keyof EquipmentSettings | keyof EquipmentPlace | 'labels' | 'timers' | 'tap'
export type KeptRecord = Omit<EquipmentRecord, Later> &
  Partial<Omit<EquipmentRecord, 'timers'>> & { readonly timers: Partial<Timers> }

export const wholeRecord = (kept: KeptRecord): EquipmentRecord => ({
  ...INITIAL_SETTINGS,
  ...NO_PLACE,
  labels: {},
  tap: null,
  ...kept,
  timers: { ...DEFAULT_TIMERS, ...kept.timers },
})

export function newEquipmentRecord(id: string, given: NewEquipment, at: string): EquipmentRecord {
  const settings = settingsAfter({ ...INITIAL_SETTINGS, device_id: defaultDeviceId(given) }, given)
  return {
    id,
    name: given.name,
    ...placeAfter(settings.transport, NO_PLACE, given),
    ...settings,
    timers: { ...DEFAULT_TIMERS, ...given.timers },
    labels: labelsAfter({}, given.labels),
    tap: tapAfter(null, given.tap),
    enabled: false,
    revision: 1,
    created_at: at,
    updated_at: at,
  }
}

const MAX_DEVICE_ID = 0x7fff

/** In HSMS-SS the session ID of data messages is the device ID: a session ID that is given alone, and can be one, is the device ID. */
const defaultDeviceId = ({ session_id }: NewEquipment): number =>
  session_id !== undefined && session_id <= MAX_DEVICE_ID ? session_id : 0

/** The labels, in the order of their keys, after a change in which null removes a label. */
export function labelsAfter(labels: Labels, change: EquipmentChange['labels'] = {}): Labels {
  const all = Object.entries({ ...labels, ...change }).sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== null))
}

/** The record with the change made, or the record itself when nothing in it is new. */
export function changedRecord(record: EquipmentRecord, change: EquipmentChange, at: string): EquipmentRecord {
  const settings = settingsAfter(record, change)
  const changed: EquipmentRecord = {
    ...record,
    name: change.name ?? record.name,
    ...placeAfter(settings.transport, record, change),
    ...settings,
    timers: { ...record.timers, ...change.timers },
    labels: change.labels === undefined ? record.labels : labelsAfter(record.labels, change.labels),
    tap: tapAfter(record.tap, change.tap),
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
  before.serial_port !== after.serial_port ||
  !isSameWire(before, after) ||
  !isSameTapWire(before.tap, after.tap) ||
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
function nameFaults(name: string): readonly Fault[] {
  const refused = (detail: string): readonly Fault[] => [{ pointer: '/name', detail }]
  if (name.startsWith(EQUIPMENT_ID_PREFIX))
    return refused(`must not begin with ${EQUIPMENT_ID_PREFIX}, as ids do`)
  return NO_EQUIPMENT_NAMES.some((one) => one === name)
    ? refused(`must not be ${name}, which has another meaning in the path of a call`)
    : []
}

function formatFaults(item: string, format: string, catalogue: Catalogue): readonly Fault[] {
  const pointer = `/item_formats/${item}`
  if (!catalogue.item(item)) return [{ pointer, detail: 'is not an item of the catalogue' }]
  if (OWN_FORMATS.includes(format)) return []
  const why = format === 'L' ? 'cannot be a list: it is sent as' : `${format} is no SECS-II format:`
  return [{ pointer, detail: `${why} one of ${OWN_FORMATS.join(', ')}` }]
}

/**
 * What is wrong with members of a body, whatever else is wrong with it, by what the gateway alone knows. An address that
 * equipment has (`isUsed`) may be outside the networks.
 */
export function memberFaults(
  given: unknown,
  { catalogue, equipmentNetworks }: CheckedAgainst,
  isUsed: (address: string) => boolean = () => false,
): readonly Fault[] {
  if (!isJsonObject(given)) return []
  const { name, ip_address: address, item_formats, labels, text_encoding } = given
  const isNew = typeof address === 'string' && isIpAddress(address) && !isUsed(address)
  const outside = isNew ? addressFault(address, equipmentNetworks) : undefined
  const formats = isJsonObject(item_formats) ? Object.entries(item_formats) : []
  return [
    ...(typeof name === 'string' ? nameFaults(name) : []),
    ...(outside === undefined ? [] : [{ pointer: '/ip_address', detail: outside }]),
    ...formats.flatMap(([item, format]) => formatFaults(item, String(format), catalogue)),
    ...(isJsonObject(labels) ? labelFaults(labels as Labels) : []),
    ...(typeof text_encoding === 'string' ? encodingFaults(text_encoding) : []),
  ]
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
  const settings = settingsAfter(before ?? INITIAL_SETTINGS, change)
  const { transport } = settings
  const place = placeAfter(transport, before ?? NO_PLACE, change)
  errors.push(...placeFaults(transport, place, change))
  const { ip_address } = place
  const isKept = ip_address === null || ip_address === before?.ip_address
  const fault = isKept ? undefined : addressFault(ip_address, equipmentNetworks)
  if (fault !== undefined) errors.push({ pointer: '/ip_address', detail: fault })
  const tap = tapAfter(before?.tap ?? null, change.tap)
  errors.push(...tapFaults({ ...settings, tap }), ...tapHostFaults(tap, before?.tap, equipmentNetworks))
  errors.push(...tapLoopFaults({ mode: settings.mode, ...place, tap }, before))
  errors.push(...labelFaults(labels, before?.labels))
  return text_encoding === undefined ? errors : [...errors, ...encodingFaults(text_encoding)]
}

/** A host outside the networks is refused, unless it is the host already. */
function tapHostFaults(
  tap: Tap | null,
  before: Tap | null | undefined,
  networks: PermittedNetworks['equipmentNetworks'],
): readonly Fault[] {
  if (!tap || tap.host_address === '' || tap.host_address === before?.host_address) return []
  const detail = addressFault(tap.host_address, networks)
  return detail === undefined ? [] : [{ pointer: '/tap/host_address', detail }]
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
export function refuseConnected({ id, name }: EquipmentRecord, state: ConnectionState): void {
  if (state !== 'SELECTED' && state !== 'NOT_SELECTED') return
  throw new Problem(
    'equipment_connected',
    `${name} is ${state}: address, port, tap, transport, mode, device, session, timers and linktest mode cannot change now (the timers slow_reply and presence can). Disconnect it first.`,
    { next: [{ operation: 'disconnectEquipment', parameters: { id } }] },
  )
}

/** Throws `equipment_connected` where the host of tapped equipment works with it. */
export function refuseTapInUse(
  { id, name, tap }: Pick<EquipmentRecord, 'id' | 'name' | 'tap'>,
  connection_state: ConnectionState,
): void {
  if (!isTapInUse({ tap, connection_state })) return
  throw new Problem(
    'equipment_connected',
    `${tapInUseText(name, tap)}. Disconnect it first, or delete it with force=true.`,
    { next: [{ operation: 'disconnectEquipment', parameters: { id } }] },
  )
}
