import { type TSchema, Type } from 'typebox'
import { faultsBy } from '../api/request/faults.js'
import { Equipment, Timers } from '../contract/equipment.js'
import { EquipmentLock, LockRequest } from '../contract/equipment-lock.js'
import { nullable } from '../contract/schema.js'
import { parseSelector } from '../contract/selector.js'
import { ApiKey } from '../contract/topics/accounts/keys.js'
import { SignOnAccount, User } from '../contract/topics/accounts/users.js'
import { LATER_SETTINGS, SETTING_SCHEMAS } from '../contract/topics/equipment/equipment-settings.js'
import { Tap } from '../contract/topics/equipment/equipment-tap.js'
import { WantedReports } from '../contract/topics/reports.js'
import { Sink } from '../contract/topics/sinks/sink.js'
import { TARGETS } from '../contract/topics/sinks/targets.js'
import type { KeyRecord } from '../gateway/accounts/key-record.js'
import { isPasswordHash } from '../gateway/accounts/passwords.js'
import { isLocalAdmin, type UserRecord } from '../gateway/accounts/user-record.js'
import {
  type CheckedAgainst,
  type EquipmentRecord,
  encodingFaults,
  settingFaults,
} from '../gateway/records/equipment-record.js'
import { READ_BACK } from '../gateway/services/reports/reports-record.js'
import type { StoredSink } from '../gateway/sinks/sealed-sinks.js'
import { comparableEmail } from '../kit/text/email.js'
import type { FolderContent } from '../store/files/data-folder.js'
import { duplicates, type RecordCheck, type RecordFault } from '../store/record-check.js'
import { RECORD_MIGRATIONS } from './record-versions.js'

export const SIGNING_KEY = 'signing-key'
export const SIGNING_KEY_BYTES = 32

/**
 * What a data folder holds. Where the journal has entries, a user and an equipment had been registered. `against`: what
 * edited equipment records have to agree with.
 */
export const folderContent = (against?: CheckedAgainst): FolderContent => ({
  checks: {
    users: check(USER, userFaults),
    equipment: check(EQUIPMENT, (records: readonly EquipmentRecord[], edited) =>
      equipmentFaults(records, against, edited),
    ),
    revocations: check(REVOCATION),
    sessions: check(SESSION),
    keys: check(KEY, keyFaults),
    reports: check(REPORTS),
    gem300: check(MAPPING),
    sinks: check(SINK, sinkFaults),
  },
  migrations: RECORD_MIGRATIONS,
  secrets: { [SIGNING_KEY]: SIGNING_KEY_BYTES },
  expected: [SIGNING_KEY, 'users.json', 'equipment.json'],
})

type Faults = ReturnType<typeof faultsBy>

/** The form of records that a person edited, and of those that this or another version wrote. */
interface Form {
  readonly edited: Faults
  readonly written: Faults
}

/** `strict`: members that are checked in edited records alone, since an earlier version may have accepted other texts. */
function form(members: Record<string, TSchema>, strict: Record<string, TSchema> = {}): Form {
  const lenient = Object.fromEntries(Object.keys(strict).map((name) => [name, Type.Unknown()]))
  const closed = { additionalProperties: false }
  return {
    edited: faultsBy(Type.Object({ ...members, ...strict }, closed), 'body'),
    written: faultsBy(Type.Object({ ...members, ...lenient }), 'body'),
  }
}

const { name, created_at, updated_at, labels, ...settings } = Equipment.properties
const { t1, t2, t4, slow_reply, presence, ...timers } = Timers.properties
const idOf = (kind: string): TSchema =>
  Type.String({ pattern: `^${kind}_[0-9a-z]+$`, description: `such as ${kind}_7f3k2m9qta` })

const { for_seconds } = LockRequest.properties
const LOCK = Type.Object({ ...EquipmentLock.properties, holder_id: Type.String(), for_seconds })

const EQUIPMENT = form(
  {
    ip_address: settings.ip_address,
    port: settings.port,
    serial_port: Type.Optional(settings.serial_port),
    ...SETTING_SCHEMAS,
    ...Type.Partial(Type.Pick(Type.Object(SETTING_SCHEMAS), LATER_SETTINGS)).properties,
    timers: Type.Object({
      ...timers,
      ...Type.Partial(Type.Object({ t1, t2, t4, slow_reply, presence })).properties,
    }),
    labels: Type.Optional(labels),
    tap: Type.Optional(nullable(Tap)),
    serial_port_since: Type.Optional(created_at),
    lock: Type.Optional(LOCK),
    enabled: settings.enabled,
    revision: settings.revision,
    created_at,
    updated_at,
  },
  { id: idOf('eq'), name },
)

const USER = form(
  {
    role: User.properties.role,
    label_selector: Type.Optional(User.properties.label_selector),
    password_hash: Type.Optional(Type.String()),
    sign_on: Type.Optional(SignOnAccount),
    token_generation: Type.Integer({ minimum: 1 }),
    created_at,
    updated_at,
  },
  { id: idOf('usr'), email: User.properties.email, name: User.properties.name },
)

const KEY = form(
  {
    role: ApiKey.properties.role,
    label_selector: ApiKey.properties.label_selector,
    hash: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'a SHA-256 in hexadecimal' }),
    created_at,
    created_by: Type.String(),
    owner_id: Type.Optional(Type.String()),
    expires_at: ApiKey.properties.expires_at,
    expired: Type.Boolean(),
    last_used_at: ApiKey.properties.last_used_at,
  },
  { id: idOf('key'), name: ApiKey.properties.name },
)

const SESSION = form(
  {
    user_id: Type.String(),
    hash: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'a SHA-256 in hexadecimal' }),
    sealed: Type.String(),
    provider_sid: nullable(Type.String()),
    created_at,
    checked_at: created_at,
    expires_at: created_at,
    checking_until: Type.Optional(created_at),
    unclaimed_until: Type.Optional(created_at),
  },
  { id: idOf('sso') },
)

const REVOCATION = form({
  id: Type.String(),
  user_id: Type.Optional(Type.String()),
  dies_at: Type.String({ format: 'date-time' }),
  expires_at: Type.String({ format: 'date-time' }),
})

const texts = Type.Array(Type.String())
const REPORTS = form(
  {
    id: Type.String(),
    setup: Type.Object({
      reports: Type.Array(Type.Object({ id: Type.String(), variables: texts })),
      events: Type.Array(Type.Object({ id: Type.String(), reports: texts, enabled: Type.Boolean() })),
      others: Type.String({ enum: ['delete', 'keep'] }),
      inquire: Type.Boolean(),
    }),
    applied_at: created_at,
    applied_by: Type.String(),
    model: Type.Optional(Type.Unknown()),
    shown: Type.Optional(Type.String({ enum: ['links', 'reports', 'nothing'] })),
    changed: Type.Optional(Type.Object({ detail: Type.String(), at: created_at })),
    unshown: Type.Optional(Type.Array(Type.String({ enum: [...READ_BACK] }))),
    unfinished: Type.Boolean(),
  },
  { definition: WantedReports },
)

const MAPPING = form({
  id: Type.String(),
  mapping: Type.Record(Type.String(), Type.Unknown()),
  applied_at: created_at,
  applied_by: Type.String(),
})

const { equipment, label_selector, types, names, messages, format } = Sink.properties
const SINK = form(
  {
    kind: Sink.properties.kind,
    ...TARGETS,
    equipment,
    label_selector,
    types,
    names,
    messages: Type.Optional(messages),
    format,
    secret: Type.Union([Type.String(), Type.Null(), Type.Object({ sealed: Type.String() })]),
    query: Type.Optional(Type.Object({ sealed: Type.String() })),
    paused: Type.Boolean(),
    position: Type.Integer({ minimum: 0 }),
    dead: Type.Array(
      Type.Object({
        seq: Type.Integer({ minimum: 1 }),
        from: Type.Optional(Type.Integer({ minimum: 1 })),
        reason: Type.String(),
        at: created_at,
        retrying: Type.Boolean(),
      }),
    ),
    created_at,
    updated_at,
  },
  { id: idOf('snk'), name: Sink.properties.name },
)

/** `further`: what a schema cannot say, of records that have the form. */
function check<T>(
  { edited: inEdited, written }: Form,
  further: (records: readonly T[], edited: boolean) => readonly RecordFault[] = () => [],
): RecordCheck {
  return (records, edited) => {
    const faults = records.flatMap((record, at) => under(at, (edited ? inEdited : written)(record)))
    return faults.length > 0 ? faults : further(records as readonly T[], edited)
  }
}

const under = (at: number, faults: readonly RecordFault[]): RecordFault[] =>
  faults.map(({ pointer, detail }) => ({ pointer: `/${at}${pointer}`, detail }))

function userFaults(users: readonly UserRecord[], edited: boolean): RecordFault[] {
  const hashes = users.flatMap(({ password_hash, sign_on }, at) => {
    const pointer = `/${at}/password_hash`
    if (sign_on && password_hash !== undefined)
      return [{ pointer, detail: 'a user with sign_on has no password' }]
    const isRight = sign_on !== undefined || isPasswordHash(password_hash ?? '')
    return isRight ? [] : [{ pointer, detail: 'is not the hash of a password' }]
  })
  const hasAdmin = users.length === 0 || users.some(isLocalAdmin)
  const lacking = {
    pointer: '/0/role',
    detail: 'no record has the role admin, a password and no label_selector',
  }
  const roles = hasAdmin || !edited ? [] : [lacking]
  const emails = duplicates(users, 'email', ({ email }) => comparableEmail(email))
  return [...emails, ...hashes, ...unreadableSelectors(users), ...roles]
}

const keyFaults = (keys: readonly KeyRecord[]): RecordFault[] => [
  ...duplicates(keys, 'name', ({ name }) => name),
  ...unreadableSelectors(keys),
]

const sinkFaults = (sinks: readonly StoredSink[]): RecordFault[] => [
  ...duplicates(sinks, 'name', ({ name }) => name),
  ...unreadableSelectors(sinks),
  ...sinks.flatMap((sink, at) =>
    sink[sink.kind] ? [] : [{ pointer: `/${at}`, detail: `has no member ${sink.kind}` }],
  ),
]

const unreadableSelectors = (
  records: readonly { readonly label_selector?: string | null }[],
): readonly RecordFault[] =>
  records.flatMap(({ label_selector }, at) => {
    try {
      if (typeof label_selector === 'string') parseSelector(label_selector)
      return []
    } catch (error) {
      return [{ pointer: `/${at}/label_selector`, detail: `cannot be read: ${(error as Error).message}` }]
    }
  })

/** What is edited may not be what the API refuses. */
function equipmentFaults(
  records: readonly EquipmentRecord[],
  against: CheckedAgainst | undefined,
  edited: boolean,
): RecordFault[] {
  const dialling = ({ mode, ip_address, port }: EquipmentRecord): string | undefined =>
    edited && mode === 'active' && port !== null ? `${ip_address}:${port}` : undefined
  return [
    ...duplicates(records, 'name', ({ name }) => name),
    ...duplicates(records, 'ip_address', dialling),
    ...records.flatMap((record, at) =>
      under(at, edited && against ? settingFaults(record, against) : encodingFaults(record.text_encoding)),
    ),
  ]
}
