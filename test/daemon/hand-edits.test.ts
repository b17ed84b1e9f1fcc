import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { STANDARD_CATALOGUE } from '../../src/catalogue/standard-catalogue.js'
import { DEFAULT_TIMERS } from '../../src/contract/equipment.js'
import { INITIAL_SETTINGS } from '../../src/contract/topics/equipment/equipment-settings.js'
import { type DaemonOptions, startDaemon } from '../../src/daemon/daemon.js'
import { isLoss, verifyStored } from '../../src/daemon/stored-files.js'
import { folderContent } from '../../src/daemon/stored-records.js'
import type { SessionRecord } from '../../src/gateway/accounts/company-account.js'
import type { KeyRecord } from '../../src/gateway/accounts/key-record.js'
import type { Revocation } from '../../src/gateway/accounts/revocations.js'
import type { UserRecord } from '../../src/gateway/accounts/user-record.js'
import type { MappingRecord } from '../../src/gateway/gem300/mapping/kept-mappings.js'
import type { EquipmentRecord } from '../../src/gateway/records/equipment-record.js'
import type { ReportsRecord } from '../../src/gateway/services/reports/reports-record.js'
import type { StoredSink } from '../../src/gateway/sinks/sealed-sinks.js'
import { systemClock } from '../../src/kit/clock.js'
import type { JsonObject } from '../../src/kit/text/json.js'
import { openStore } from '../../src/store/files/data-folder.js'
import { scratchFolders } from '../store/scratch-folder.js'
import { daemonOptions } from '../support/daemon-here.js'

const folders = scratchFolders()
const AT = '2026-01-01T00:00:00.000Z'
const ETCHER = {
  id: 'eq_1',
  name: 'etcher',
  ip_address: '127.0.0.1',
  port: 5000,
  mode: 'passive',
  device_id: 0,
  session_id: 65535,
  timers: { t3: 45, t5: 10, t6: 5, t7: 10, t8: 5, linktest: 60, establish: 10 },
  linktest_mode: 'always',
  gem_startup: true,
  communication: 'gem',
  item_formats: {},
  text_encoding: 'latin1',
  enabled: false,
  revision: 1,
  created_at: AT,
  updated_at: AT,
}
const COATER = { ...ETCHER, id: 'eq_2', name: 'coater', port: 5001 }
const USER = {
  id: 'usr_1',
  email: 'admin@fab.example',
  name: 'Admin',
  role: 'admin',
  password_hash: `scrypt$16384$8$c2FsdA$${'k'.repeat(43)}`,
  token_generation: 1,
  created_at: AT,
  updated_at: AT,
}
const KEY = {
  id: 'key_1',
  name: 'mes',
  role: 'operator',
  label_selector: null,
  hash: '0f'.repeat(32),
  created_at: AT,
  created_by: 'admin@fab.example',
  expires_at: AT,
  expired: true,
  last_used_at: null,
}
const OTHER_KEY = { ...KEY, id: 'key_2', name: 'ci' }
let folder = ''

async function put(name: string, ...records: readonly { readonly id: string }[]): Promise<void> {
  const store = await openStore(folder, { clock: systemClock })
  const collection = await store.collection(name)
  for (const record of records) await collection.put(record)
  await store.close()
}

const pathOf = (name: string): string => join(folder, `${name}.json`)

/** The records as somebody leaves them who edits the file by hand. */
function edit(name: string, change: (records: Record<string, unknown>[]) => void): void {
  const document = JSON.parse(readFileSync(pathOf(name), 'utf8'))
  change(document.records)
  writeFileSync(pathOf(name), `${JSON.stringify(document, undefined, 2)}\n`)
}

/** Why a daemon does not start; undefined where it does. */
async function refusal(given: Partial<DaemonOptions> = {}): Promise<Error | undefined> {
  try {
    await (await startDaemon(daemonOptions(folder, given))).stop()
    return undefined
  } catch (error) {
    return error as Error
  }
}

beforeEach(async () => {
  folder = folders()
  await put('users', USER)
  await put('equipment', ETCHER, COATER)
  await put('keys', KEY, OTHER_KEY)
})

describe('Records that were edited by hand', () => {
  const WRONG: readonly (readonly [string, string, JsonObject, RegExp])[] = [
    [
      'a port',
      'equipment',
      { port: 99999 },
      /record eq_1 \(etcher\), \/port: must be an integer from 1 to 65535/,
    ],
    [
      'a member that is not known',
      'equipment',
      { prot: 1 },
      /eq_1 \(etcher\), \/prot: is not known here; known/,
    ],
    [
      'a timer',
      'equipment',
      { timers: { ...ETCHER.timers, t3: 'abc' } },
      /\/timers\/t3: must be a number from 0\.1/,
    ],
    ['a mode', 'equipment', { mode: 'server' }, /\/mode: must be one of passive, active/],
    ['an address', 'equipment', { ip_address: '0.0.0.0' }, /\/ip_address: 0\.0\.0\.0 cannot be equipment/],
    ['an encoding', 'equipment', { text_encoding: 'klingon' }, /\/text_encoding: .*klingon/],
    [
      'a format',
      'equipment',
      { item_formats: { SVID: 'U3' } },
      /\/item_formats\/SVID: U3 is no SECS-II format/,
    ],
    ['a label', 'equipment', { labels: { area: 'etch!' } }, /\/labels\/area: must match/],
    ['the key of a label', 'equipment', { labels: { '-x': '' } }, /\/labels\/-x: "-x" is not a label key/],
    ['a lock', 'equipment', { lock: { by: 'ada@fab.example' } }, /\/lock\/reason: is required/],
    ['labels', 'equipment', { labels: ['etch'] }, /\/labels: must be an object/],
    [
      'a name',
      'equipment',
      { name: 'coater' },
      /eq_2 \(coater\), \/name: coater is the name of another record/,
    ],
    ['an id', 'equipment', { id: 'eq_2' }, /record eq_2 \(coater\), \/id: eq_2 is the id of another record/],
    [
      'an id that no command could take',
      'equipment',
      { id: '../x' },
      /record \.\.\/x \(etcher\), \/id: must match \^eq_/,
    ],
    ['no id', 'equipment', { id: null }, /record 1 \(etcher\), \/id: must be a string/],
    ['a role', 'users', { role: 'boss' }, /record usr_1 \(Admin\), \/role: must be one of viewer, operator/],
    ['a hash', 'users', { password_hash: 'secret' }, /usr_1 \(Admin\), \/password_hash: is not the hash/],
    ['the hash of a key', 'keys', { hash: 'secsctl_x' }, /key_1 \(mes\), \/hash: must match/],
    ['the expiry of a key', 'keys', { expires_at: 'never' }, /key_1 \(mes\), \/expires_at: must/],
    ['the name of a key', 'keys', { name: 'ci' }, /key_2 \(ci\), \/name: ci is the name of another record/],
    ['a selector', 'keys', { label_selector: 'a=(' }, /key_1 \(mes\), \/label_selector: cannot be read/],
    ['no administrator', 'users', { role: 'viewer' }, /\/role: no record has the role admin/],
  ]
  test.each(WRONG)('are refused for %s, and the file stays as it is', async (_, name, change, why) => {
    edit(name, ([record]) => Object.assign(record as object, change))
    const before = readFileSync(pathOf(name))
    const error = await refusal({ acceptEdits: true })
    expect(error).toMatchObject({ name: 'StoreDamaged', file: pathOf(name), kind: 'invalid' })
    expect(error?.message).toMatch(why)
    expect(readFileSync(pathOf(name))).toEqual(before)
  })

  test('have all their faults named at once, with the line, up to a limit', async () => {
    edit('equipment', ([one, other]) => {
      Object.assign(one as object, { port: -1, device_id: -1 })
      Object.assign(other as object, { mode: 1 })
    })
    expect((await refusal({ acceptEdits: true }))?.message.split('\n').slice(1)).toEqual([
      '  line 9, record eq_1 (etcher), /port: must be an integer from 1 to 65535',
      '  line 11, record eq_1 (etcher), /device_id: must be an integer from 0 to 32767',
      '  line 37, record eq_2 (coater), /mode: must be one of passive, active',
    ])
    edit('equipment', (records) => {
      for (let n = 0; n < 1000; n++) records.push({ ...COATER, id: `eq_x${n}`, name: `n${n}`, port: -1 })
    })
    const lines = (await refusal({ acceptEdits: true }))?.message.split('\n') ?? []
    expect([lines.length, lines.at(-1)]).toEqual([22, '  and 983 more'])
  })

  test('are refused in all files at once', async () => {
    edit('users', ([record]) => Object.assign(record as object, { name: 'Boss' }))
    edit('equipment', ([record]) => Object.assign(record as object, { port: 0 }))
    const first = await refusal()
    expect(first).toMatchObject({ name: 'StoreDamaged', kind: 'edited' })
    expect(first?.message).toContain(pathOf('users'))
    expect(first?.message).toContain(pathOf('equipment'))
    edit('users', ([record]) => Object.assign(record as object, { role: 'boss' }))
    const second = await refusal({ acceptEdits: true })
    expect(second).toMatchObject({ name: 'StoreDamaged', kind: 'invalid' })
    expect(second?.message).toMatch(/users\.json: .*\n.*\/role.*\n.*equipment\.json: .*\n.*\/port/)
  })

  test('are served once they are right, without the members that an earlier version did not write', async () => {
    edit('equipment', ([record]) => {
      // What only equipment has that was moved to another serial port.
      Object.assign(record as object, { serial_port_since: '2026-01-02T03:04:05.678Z' })
      Object.assign(record as object, { port: 5002 })
      for (const later of ['linktest_mode', 'gem_startup', 'communication']) delete record?.[later]
    })
    expect(await refusal()).toMatchObject({ kind: 'edited' })
    expect(await refusal({ acceptEdits: true })).toBeUndefined()
    expect(await refusal()).toBeUndefined()
    expect(JSON.parse(readFileSync(pathOf('equipment'), 'utf8')).records[0].port).toBe(5002)
  })

  test('are refused with the line and column where they are no JSON, and for a byte order mark', async () => {
    const text = readFileSync(pathOf('equipment'), 'utf8')
    writeFileSync(pathOf('equipment'), text.replace('"port": 5000,', '"port": 5000'))
    expect(await refusal()).toMatchObject({ kind: 'unreadable' })
    const error = await refusal({ acceptEdits: true })
    expect(error).toMatchObject({ kind: 'invalid' })
    expect(error?.message).toMatch(/it is not valid JSON: line 10, column 7: "," or "}" expected/)
    writeFileSync(pathOf('equipment'), `\ufeff${text}`)
    expect((await refusal({ acceptEdits: true }))?.message).toMatch(/byte order mark \(BOM\)/)
    writeFileSync(pathOf('equipment'), Buffer.from(text, 'utf16le'))
    expect((await refusal({ acceptEdits: true }))?.message).toMatch(/it is not UTF-8/)
  })
})

describe('Records that secsctl wrote', () => {
  test('are checked at every start and by verify, since an earlier version took over what was edited', async () => {
    await put('equipment', { ...ETCHER, port: 99999 } as { readonly id: string })
    const why = /record eq_1 \(etcher\), \/port: must be an integer from 1 to 65535/
    for (const given of [{}, { acceptEdits: true }]) {
      const error = await refusal(given)
      expect(error).toMatchObject({ name: 'StoreDamaged', kind: 'invalid' })
      expect(error?.message).toMatch(why)
    }
    const faults = []
    for await (const file of verifyStored(folder)) faults.push(...file.faults)
    expect(faults.filter(isLoss).map(({ detail }) => detail)).toEqual([expect.stringMatching(why)])
  })

  test('may hold what a later version adds, and addresses that are not taken any more', async () => {
    await put('equipment', { ...ETCHER, ip_address: '0.0.0.0', later: 1 } as { readonly id: string })
    expect(await refusal({ equipmentNetworks: ['10.0.0.0/8'] })).toBeUndefined()
  })
})

const TAP = {
  listen_port: 6100,
  host_address: '127.0.0.1',
  host_port: null,
  pause_seconds: 2,
  reads: 'short',
  writes: false,
} as const
const SIGN_ON = {
  issuer: 'https://login.fab.example',
  subject: 's-1',
  groups: ['fab-etch'],
  rule: 'fab-etch',
  confirmed_at: AT,
}
const URL = 'https://fab.example/hook'
/** One record of each kind with every member that a record can have: the compiler demands each new one here. */
const WHOLE: {
  readonly users: Required<UserRecord>
  readonly equipment: Required<EquipmentRecord>
  readonly revocations: Required<Revocation>
  readonly sessions: Required<SessionRecord>
  readonly keys: Required<KeyRecord>
  readonly reports: Required<ReportsRecord>
  readonly gem300: Required<MappingRecord>
  readonly sinks: Required<StoredSink>
} = {
  users: { ...USER, role: 'admin', label_selector: 'area=etch', sign_on: SIGN_ON },
  equipment: {
    id: 'eq_1',
    name: 'etcher',
    ip_address: '127.0.0.1',
    port: 5000,
    serial_port: null,
    ...INITIAL_SETTINGS,
    timers: DEFAULT_TIMERS,
    labels: { area: 'etch' },
    tap: TAP,
    serial_port_since: AT,
    lock: {
      by: 'a@fab.example',
      reason: 'PM',
      since: AT,
      expires_at: AT,
      holder_id: 'usr_1',
      for_seconds: 60,
    },
    enabled: true,
    revision: 1,
    created_at: AT,
    updated_at: AT,
  },
  revocations: { id: 'jti', user_id: 'usr_1', dies_at: AT, expires_at: AT },
  sessions: {
    id: 'sso_1',
    user_id: 'usr_1',
    hash: KEY.hash,
    sealed: 'c2FsdA',
    provider_sid: null,
    created_at: AT,
    checked_at: AT,
    expires_at: AT,
    checking_until: AT,
    unclaimed_until: AT,
  },
  keys: { ...KEY, role: 'operator', owner_id: 'usr_1' },
  reports: {
    id: 'eq_1',
    definition: { reports: [], events: [] },
    setup: { reports: [], events: [], others: 'delete', inquire: true },
    applied_at: AT,
    applied_by: 'a@fab.example',
    model: { mdln: 'E17', softrev: '1' },
    shown: 'links',
    changed: { detail: 'S2F33', at: AT },
    unshown: [],
    unfinished: false,
  },
  gem300: { id: 'eq_1', mapping: {}, applied_at: AT, applied_by: 'a@fab.example' },
  sinks: {
    id: 'snk_1',
    name: 'mes',
    kind: 'webhook',
    webhook: { url: URL, batch: 1, gzip: true, ca: 'PEM' },
    mqtt: { url: 'mqtt://fab.example' },
    sparkplug: { url: 'mqtt://fab.example', group: 'fab' },
    kafka: { brokers: 'fab.example:9092', topic: 'events' },
    file: { file: 'events.jsonl', max_bytes: 65_536, keep: 1 },
    equipment: ['eq_1'],
    label_selector: null,
    types: ['alarm'],
    names: ['alarm_set'],
    messages: ['S6F11'],
    format: 'event',
    secret: { sealed: 'c2FsdA' },
    query: { sealed: 'c2FsdA' },
    paused: false,
    position: 0,
    dead: [{ seq: 2, from: 1, reason: 'HTTP 500', at: AT, retrying: false }],
    created_at: AT,
    updated_at: AT,
  },
}

describe('The check of edited records', () => {
  const { checks = {} } = folderContent({ catalogue: STANDARD_CATALOGUE })

  test('knows every member of every kind of record that this version writes', () => {
    const { password_hash, ...ofCompany } = WHOLE.users
    const { sign_on, ...local } = WHOLE.users
    // A user has one of the two, and one administrator is restricted in nothing.
    const users = [ofCompany, { ...local, id: 'usr_2', email: 'b@fab.example', label_selector: null }]
    const records: Record<string, readonly unknown[]> = {
      ...Object.fromEntries(Object.entries(WHOLE).map(([kind, record]) => [kind, [record]])),
      users,
    }
    expect([password_hash, sign_on]).not.toContain(undefined)
    expect(Object.keys(records).sort()).toEqual(Object.keys(checks).sort())
    const faults = Object.entries(records).map(([kind, all]) => [kind, checks[kind]?.(all, true)])
    expect(faults).toEqual(Object.keys(records).map((kind) => [kind, []]))
  })

  test('leaves tapped equipment tapped, and refuses a tap that cannot be', async () => {
    const { lock: _, serial_port_since: __, ...tapped } = { ...WHOLE.equipment, enabled: false }
    await put('equipment', tapped, { ...tapped, id: 'eq_2', name: 'coater', port: 5001, tap: null } as never)
    edit('equipment', ([record]) => Object.assign(record as object, { name: 'etch-18' }))
    expect(await refusal({ acceptEdits: true })).toBeUndefined()
    const { records } = JSON.parse(readFileSync(pathOf('equipment'), 'utf8'))
    expect(records).toMatchObject([{ name: 'etch-18', tap: TAP }, { tap: null }])
    edit('equipment', ([record]) => Object.assign(record as object, { tap: { ...TAP, host_address: 'x' } }))
    expect((await refusal({ acceptEdits: true }))?.message).toMatch(/etch-18.*\/tap\/host_address: must be/)
  })
})
