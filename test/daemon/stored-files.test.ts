import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { backUpStored, isLoss, verifyStored } from '../../src/daemon/stored-files.js'
import { folderContent } from '../../src/daemon/stored-records.js'
import { newEquipmentRecord } from '../../src/gateway/records/equipment-record.js'
import { systemClock } from '../../src/kit/clock.js'
import { openStore } from '../../src/store/files/data-folder.js'
import { segmentName } from '../../src/store/files/segments/segment.js'

const folder = mkdtempSync(join(tmpdir(), 'secsctl-stored-'))
const data = join(folder, 'data')
const recordOf = (id: string) =>
  newEquipmentRecord(id, { name: id, ip_address: '127.0.0.1', port: 5000 }, '2026-01-01T00:00:00.000Z')
beforeAll(async () => {
  const store = await openStore(data, { clock: systemClock })
  const equipment = await store.collection('equipment')
  await equipment.put(recordOf('eq_0'))
  await equipment.put(recordOf('eq_1'))
  await store.secret('signing-key', 32)
  const entry = { key: 'eq_1', type: 'state', name: 'a', at: '2026-01-01T00:00:00.000Z', data: {} }
  for (let n = 0; n < 3; n++) await store.journal.append(entry)
  await store.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a backup takes the place of an empty folder, and leaves nothing beside it', async () => {
  const to = join(folder, 'monday')
  mkdirSync(to)
  writeFileSync(join(data, 'users.json'), '{"version":1,"records":[]}')
  await backUpStored(data, to)
  expect(readdirSync(to)).toContain('users.json')
  expect(existsSync(`${to}.partial`)).toBe(false)
})

test('a backup leaves alone what it did not make', async () => {
  const to = join(folder, 'wednesday')
  mkdirSync(`${to}.partial`)
  writeFileSync(join(`${to}.partial`, 'notes.txt'), 'mine')
  await expect(backUpStored(data, to)).rejects.toThrow(/EEXIST/)
  expect(readFileSync(join(`${to}.partial`, 'notes.txt'), 'utf8')).toBe('mine')
  expect(existsSync(to)).toBe(false)
})

test('verifying finds every bit that flips in any file of a backup, and each file that is gone', async () => {
  const to = join(folder, 'thursday')
  await backUpStored(data, to)
  const faults = async (): Promise<string[]> => {
    const found: string[] = []
    for await (const file of verifyStored(to))
      found.push(...file.faults.filter(isLoss).map((one) => one.file))
    return found
  }
  expect(await faults()).toEqual([])
  if (process.platform === 'linux') {
    expect(
      execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: to, encoding: 'utf8' }),
    ).toContain('signing-key: OK')
  }
  const files = readdirSync(to, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  expect(files.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'SHA256SUMS',
      'checkpoint.json',
      'equipment.json',
      'signing-key',
      segmentName(1),
    ]),
  )
  // An index that does not fit is made again: damage to it is no loss.
  for (const { parentPath, name } of files.filter((file) => !file.name.endsWith('.index'))) {
    const path = join(parentPath, name)
    const bytes = readFileSync(path)
    for (let bit = 0; bit < bytes.length * 8; bit += 97) {
      const flipped = Buffer.from(bytes)
      flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
      writeFileSync(path, flipped)
      expect(await faults(), `${name}, bit ${bit}`).toContain(path)
    }
    if (name !== 'SHA256SUMS') {
      rmSync(path)
      expect(await faults(), `${name} is gone`).toContain(path)
    }
    writeFileSync(path, bytes)
  }
  expect(await faults()).toEqual([])
})

test('a backup that is opened has no manifest any more, and is in order', async () => {
  const to = join(folder, 'friday')
  await backUpStored(data, to)
  const store = await openStore(to, { clock: systemClock })
  await (await store.collection('equipment')).put(recordOf('eq_2'))
  await store.close()
  const faults = []
  for await (const file of verifyStored(to)) faults.push(...file.faults)
  expect([faults, existsSync(join(to, 'SHA256SUMS'))]).toEqual([[], false])
})

test.skipIf(process.platform === 'win32')('verifying reports what others may read or change', async () => {
  const to = join(folder, 'holiday')
  await backUpStored(data, to)
  const reported = async (): Promise<string[]> => {
    const found: string[] = []
    for await (const { faults } of verifyStored(to))
      found.push(...faults.filter(({ kind }) => kind === 'permissions').map(({ detail }) => detail))
    return found
  }
  expect(await reported()).toEqual([])
  const segment = join(to, 'journal', segmentName(1))
  chmodSync(to, 0o755)
  chmodSync(join(to, 'equipment.json'), 0o646)
  renameSync(segment, join(to, 'moved'))
  symlinkSync(join(to, 'moved'), segment)
  expect(await reported()).toEqual([
    expect.stringMatching(/holiday is open to other users \(mode 0755\): chmod -R go= /),
    expect.stringMatching(/equipment\.json is open to other users \(mode 0646\): chmod 600 /),
    expect.stringMatching(/0001\.ndjson is a symbolic link/),
  ])
})

test('verifying finds a document, a key and a checkpoint that are damaged, gone or older', async () => {
  const to = join(folder, 'saturday')
  await backUpStored(data, to)
  rmSync(join(to, 'SHA256SUMS'))
  writeFileSync(join(to, 'lock'), '')
  const faults = async (): Promise<string[]> => {
    const found: string[] = []
    for await (const file of verifyStored(to))
      found.push(
        ...file.faults
          .filter(({ kind }) => kind !== 'index' && kind !== 'permissions')
          .map((one) => `${one.kind} ${basename(one.file)}`),
      )
    return found
  }
  const kept = new Map(readdirSync(to).map((name) => [name, join(to, name)]))
  const spoil = async (name: string, bytes: Buffer | undefined): Promise<string[]> => {
    const path = kept.get(name) ?? ''
    const before = readFileSync(path)
    if (bytes) writeFileSync(path, bytes)
    else rmSync(path)
    const found = await faults()
    writeFileSync(path, before)
    return found
  }
  const edited = (name: string): Buffer =>
    Buffer.from(
      readFileSync(join(to, name), 'latin1')
        .replace('eq_', 'eQ_')
        .replace('"checkpoint":1', '"checkpoint":3'),
    )
  expect(await faults()).toEqual([])
  expect(await spoil('equipment.json', edited('equipment.json'))).toEqual(['damaged equipment.json'])
  expect(await spoil('equipment.json', undefined)).toEqual(['missing equipment.json'])
  expect(await spoil('equipment.json', readFileSync(join(to, 'equipment.json.bak')))).toEqual([
    'damaged equipment.json',
  ])
  expect(await spoil('equipment.json.bak', edited('equipment.json.bak'))).toEqual([
    'previous equipment.json.bak',
  ])
  expect(await spoil('signing-key', Buffer.alloc(32))).toEqual(['damaged signing-key'])
  expect(await spoil('signing-key', undefined)).toEqual(['missing signing-key'])
  expect(await spoil('checkpoint.json', edited('checkpoint.json'))).toEqual(['damaged checkpoint.json'])
  expect(await spoil('checkpoint.json', undefined)).toEqual(['missing checkpoint.json'])
})

/** What verifying finds of a loss: kind and name. */
async function losses(of: string): Promise<string[]> {
  const found: string[] = []
  for await (const { faults } of verifyStored(of))
    found.push(...faults.filter(isLoss).map((one) => `${one.kind} ${basename(one.file)}`))
  return found
}

test('verifying finds that the digests of a backup are gone, as long as no daemon has opened it', async () => {
  const to = join(folder, 'sunday')
  await backUpStored(data, to)
  expect(await losses(to)).toEqual([])
  rmSync(join(to, 'SHA256SUMS'))
  expect(await losses(to)).toEqual(['missing SHA256SUMS'])
  await (await openStore(to, { clock: systemClock })).close()
  expect(await losses(to)).toEqual([])
})

test('verifying finds what a start refuses: documents that are gone with the checkpoint, a short key, no record of retention', async () => {
  const of = async (name: string, spoil: (to: string) => void): Promise<string[]> => {
    const to = join(folder, name)
    await backUpStored(data, to)
    rmSync(join(to, 'SHA256SUMS'))
    writeFileSync(join(to, 'lock'), '')
    spoil(to)
    const content = folderContent()
    const open = async (): Promise<void> => {
      const store = await openStore(to, { clock: systemClock, content })
      try {
        await store.collection('equipment')
        await store.secret('signing-key', 32)
      } finally {
        await store.close()
      }
    }
    await expect(open(), name).rejects.toMatchObject({ name: 'StoreDamaged' })
    return losses(to)
  }
  const gone =
    (...names: readonly string[]) =>
    (to: string) => {
      for (const name of names) rmSync(join(to, name), { force: true })
    }
  const all = ['checkpoint.json', 'equipment.json', 'equipment.json.bak', 'users.json', 'users.json.bak']
  expect(await of('no-documents', gone(...all))).toEqual(['missing users.json', 'missing equipment.json'])
  expect(await of('backup-left', gone('checkpoint.json', 'equipment.json'))).toEqual([
    'missing equipment.json',
  ])
  expect(
    await of('short-key', (to) => {
      gone(...all)(to)
      for (const name of ['users', 'equipment'])
        writeFileSync(join(to, `${name}.json`), '{"version":1,"records":[]}', { mode: 0o600 })
      writeFileSync(join(to, 'signing-key'), 'short')
    }),
  ).toEqual(['damaged signing-key'])
  expect(
    await of('no-record-of-retention', (to) => writeFileSync(join(to, 'journal', 'carried.ndjson.bak'), '')),
  ).toEqual(['missing carried.ndjson'])
})

test('a backup that fails is not there, not even in part', async () => {
  const unreadable = join(data, 'journal', segmentName(7))
  mkdirSync(unreadable)
  const to = join(folder, 'tuesday')
  await expect(backUpStored(data, to)).rejects.toThrow(/EISDIR/)
  rmSync(unreadable, { recursive: true })
  expect(readdirSync(folder).filter((name) => name.startsWith('tuesday'))).toEqual([])
})
