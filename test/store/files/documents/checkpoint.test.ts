import { copyFileSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { openFiles, type StoreOptions } from '../../../../src/store/files/data-folder.js'
import { disk, type FileSystem } from '../../../../src/store/files/disk/file-system.js'
import { readSegmentFile } from '../../../../src/store/files/segments/segment-content.js'
import type { Store } from '../../../../src/store/store.js'
import { ManualClock } from '../../../support/manual-clock.js'
import { until } from '../../../support/until.js'
import { failingDisk } from '../../failing-disk.js'
import { scratchFolders } from '../../scratch-folder.js'

interface Tool {
  readonly id: string
  readonly address: string
}
const folders = scratchFolders()
const unsynced = failingDisk(Number.POSITIVE_INFINITY, { syncs: false })
const at = '2026-01-01T00:00:00.000Z'
const entry = { key: 'EQ', type: 'state', name: 'a', at, data: {} }

async function openIn(folder: string, given: Partial<StoreOptions> = {}): Promise<Store> {
  const options = { clock: new ManualClock(), fs: unsynced, segmentBytes: 300, ...given }
  const store = await openFiles(folder, options)
  await store.journal.attach([])
  return store
}

afterEach(() => expect(unsynced.openFiles()).toBe(0))

/** What a store has in it, after every document was opened. */
async function found(folder: string, given: Partial<StoreOptions> = {}) {
  const store = await openIn(folder, given)
  try {
    const tools = await (await store.collection<Tool>('tools')).all()
    const secret = Buffer.from(await store.secret('key', 32)).toString('hex')
    const entries = await store.journal.query({ order: 'asc', limit: 1000 })
    return { tools, secret, seqs: entries.map(({ seq }) => seq), gaps: store.gaps }
  } finally {
    await store.close()
  }
}

/** A folder with two tools, a key and eight entries, and what it was when there was one tool and two entries. */
async function filled(): Promise<{ folder: string; older: (name: string) => string }> {
  const folder = folders()
  await disk.makeFolder(folder)
  const store = await openIn(folder)
  await store.secret('key', 32)
  const tools = await store.collection<Tool>('tools')
  await tools.put({ id: 'a', address: '127.0.0.1' })
  await store.journal.appendAll([entry, entry])
  await store.close()
  const before = folders()
  await disk.makeFolder(join(before, 'journal'))
  for (const name of filesIn(folder)) copyFileSync(join(folder, name), join(before, name))
  const again = await openIn(folder)
  await (await again.collection<Tool>('tools')).put({ id: 'b', address: '127.0.0.1' })
  await (await again.collection<Tool>('tools')).put({ id: 'c', address: '127.0.0.1' })
  for (let n = 0; n < 6; n++) await again.journal.append(entry)
  await again.close()
  return { folder, older: (name) => join(before, name) }
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name).slice(folder.length + 1))

const newestSegment = (folder: string): string =>
  join(
    folder,
    'journal',
    readdirSync(join(folder, 'journal'))
      .filter((name) => /^\d+\.ndjson$/.test(name))
      .sort()
      .at(-1) ?? '',
  )

describe('A document', () => {
  it('is never served with a bit flipped', async () => {
    const { folder } = await filled()
    for (const name of ['tools.json', 'key', 'checkpoint.json']) {
      const path = join(folder, name)
      const bytes = readFileSync(path)
      for (let bit = 0; bit < bytes.length * 8; bit += name === 'key' ? 7 : 37) {
        const flipped = Buffer.from(bytes)
        flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
        writeFileSync(path, flipped)
        await expect(found(folder), `${name}, bit ${bit}`).rejects.toMatchObject({
          name: 'StoreDamaged',
          file: path,
        })
      }
      writeFileSync(path, bytes)
    }
    expect((await found(folder)).tools).toHaveLength(3)
  })

  it('that is gone with the generation before it is refused, and given up on a person’s word', async () => {
    const { folder } = await filled()
    const { secret } = await found(folder)
    for (const name of ['tools.json', 'tools.json.bak', 'key']) rmSync(join(folder, name), { force: true })
    await expect(found(folder)).rejects.toThrow(/tools\.json: it is gone, and so is tools\.json\.bak/)
    const warnings: string[] = []
    const left = await found(folder, { acceptLoss: true, warn: (text) => warnings.push(text) })
    expect(left).toMatchObject({ tools: [], seqs: [1, 2, 3, 4, 5, 6, 7, 8] })
    expect(left.secret).not.toBe(secret)
    expect(warnings.map((text) => text.replace(folder, ''))).toEqual([
      '/tools.json: it is gone, and so is tools.json.bak, the one before it; it begins without records',
      '/key: it is gone; a new one is made',
    ])
    expect(await found(folder)).toEqual({ ...left })
  })

  it('is taken as it is on a person’s word that it was edited by hand', async () => {
    const { folder } = await filled()
    const path = join(folder, 'tools.json')
    writeFileSync(path, readFileSync(path, 'utf8').replace('127.0.0.1', '10.0.0.5'))
    await expect(found(folder)).rejects.toThrow('tools.json: its checksum does not match its content')
    const { tools } = await found(folder, { acceptEdits: true })
    expect(tools.map(({ address }) => address)).toEqual(['10.0.0.5', '127.0.0.1', '127.0.0.1'])
    expect((await found(folder)).tools).toEqual(tools)
    writeFileSync(path, '{ not JSON')
    await expect(found(folder, { acceptEdits: true })).rejects.toThrow('it is not valid JSON')
  })

  it('that is damaged gives way to the generation before it on a person’s word, and is kept aside', async () => {
    const { folder } = await filled()
    const path = join(folder, 'tools.json')
    const text = readFileSync(path, 'utf8').replace('127.0.0.1', '127.0.0.3')
    writeFileSync(path, text)
    expect((await found(folder, { acceptLoss: true })).tools.map(({ id }) => id)).toEqual(['a', 'b'])
    expect(readFileSync(`${path}.lost`, 'utf8')).toBe(text)
    expect((await found(folder)).tools.map(({ id }) => id)).toEqual(['a', 'b'])
  })

  it('of an older generation is refused, with the file before it or another', async () => {
    for (const source of ['older', 'bak']) {
      const { folder, older } = await filled()
      const path = join(folder, 'tools.json')
      copyFileSync(source === 'bak' ? `${path}.bak` : older('tools.json'), path)
      await expect(found(folder), source).rejects.toThrow(
        /it is generation [12], and generation 3 was written: an older file has taken its place/,
      )
      const { tools } = await found(folder, { acceptEdits: true })
      expect(tools).toHaveLength(source === 'bak' ? 2 : 1)
      expect((await found(folder)).tools).toEqual(tools)
    }
  })

  it('of an older generation gives way to the file before it, which is newer, where losses are accepted', async () => {
    const { folder, older } = await filled()
    copyFileSync(older('tools.json'), join(folder, 'tools.json'))
    expect((await found(folder, { acceptLoss: true })).tools.map(({ id }) => id)).toEqual(['a', 'b'])
  })

  it('of which neither generation can be taken begins without records, where losses are accepted', async () => {
    const tools = (records: readonly unknown[]) =>
      records.map(() => ({ pointer: '/0', detail: 'is no tool' }))
    const content = { checks: { tools }, secrets: {}, expected: [] }
    const newer = '{"version":2,"records":[{"id":"x"}]}\n'
    for (const [before, given] of [
      ['nothing', {}],
      [newer, {}],
      [newer.replace('2', '1'), { content }],
    ] as const) {
      const { folder } = await filled()
      const path = join(folder, 'tools.json')
      writeFileSync(path, 'nothing')
      writeFileSync(`${path}.bak`, before)
      await expect(found(folder, given)).rejects.toThrow('tools.json')
      expect((await found(folder, { ...given, acceptLoss: true })).tools, before).toEqual([])
    }
  })

  it('of a version without checksums opens, is guarded from then on, and gets one with the next write', async () => {
    const folder = folders()
    await disk.makeFolder(folder)
    const path = join(folder, 'tools.json')
    const text = `${JSON.stringify({ version: 1, records: [{ id: 'a', address: 'x' }] }, undefined, 2)}\n`
    writeFileSync(path, text)
    const key = Buffer.alloc(32, 7)
    writeFileSync(join(folder, 'key'), key)
    expect(await found(folder)).toMatchObject({
      tools: [{ id: 'a', address: 'x' }],
      secret: key.toString('hex'),
    })
    expect(readFileSync(path, 'utf8')).toBe(text)
    writeFileSync(path, text.replace('x', 'y'))
    await expect(found(folder)).rejects.toThrow('it is not what was written')
    writeFileSync(path, text)
    const store = await openIn(folder)
    await (await store.collection<Tool>('tools')).put({ id: 'b', address: 'z' })
    await store.close()
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
      version: 1,
      generation: 1,
      crc: /^[0-9a-f]{8}$/ as unknown,
    })
    writeFileSync(path, text)
    await expect(found(folder)).rejects.toThrow('it has no checksum, and what was written had one')
  })

  it('that every journal with entries needs is refused when it is gone from a folder of an earlier version', async () => {
    const { folder } = await filled()
    for (const name of ['checkpoint.json', 'tools.json', 'tools.json.bak']) rmSync(join(folder, name))
    const content = { checks: {}, secrets: {}, expected: ['key', 'tools.json'] }
    await expect(openIn(folder, { content })).rejects.toThrow(
      'tools.json: it is gone, and the journal has entries',
    )
    await (await openIn(folder, { content, acceptLoss: true })).close()
    const anew = folders()
    await disk.makeFolder(anew)
    await (await openIn(anew, { content })).close()
    await (await openIn(anew, { content })).close()
  })
})

describe('A checkpoint', () => {
  it('that is gone is refused while documents tell of it, and made again on a person’s word', async () => {
    const { folder } = await filled()
    const all = await found(folder)
    rmSync(join(folder, 'checkpoint.json'))
    await expect(found(folder)).rejects.toThrow('it is gone, and tools.json shows that there was one')
    expect(await found(folder, { acceptLoss: true })).toEqual(all)
    expect(await found(folder)).toEqual(all)
  })

  it('of an earlier moment changes nothing', async () => {
    const { folder, older } = await filled()
    const all = await found(folder)
    copyFileSync(older('checkpoint.json'), join(folder, 'checkpoint.json'))
    expect(await found(folder)).toEqual(all)
  })

  it('knows an entry a second after it was written, also of a process that is killed', async () => {
    const folder = folders()
    await disk.makeFolder(folder)
    const clock = new ManualClock()
    const store = await openIn(folder, { clock })
    const known = (): string => readFileSync(join(folder, 'checkpoint.json'), 'utf8')
    await store.journal.append(entry)
    await store.journal.append(entry)
    expect(known()).not.toContain('"seq"')
    clock.advance(1000)
    await until(() => known().includes('"seq":2'))
    await store.close()
  })

  it('that cannot be written again keeps nobody from opening', async () => {
    const { folder, older } = await filled()
    const all = await found(folder)
    copyFileSync(older('checkpoint.json'), join(folder, 'checkpoint.json'))
    const clock = new ManualClock()
    const full = { ...unsynced, open: openUnless(/checkpoint/) }
    const store = await openIn(folder, { clock, fs: full })
    clock.advance(10_000)
    for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate)
    expect([store.journal.last, store.journal.failure]).toEqual([8, undefined])
    await store.close()
    expect(await found(folder)).toEqual(all)
  })

  it('is not written again where nothing happens', async () => {
    const { folder } = await filled()
    const clock = new ManualClock()
    const fs = failingDisk(Number.POSITIVE_INFINITY, { syncs: false })
    const store = await openIn(folder, { clock, fs })
    const before = fs.calls()
    await store.secret('key', 32)
    clock.advance(10_000)
    for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate)
    expect(fs.calls()).toBe(before)
    // Only its folder is synced.
    await store.collection('tools')
    expect(fs.calls()).toBe(before + 1)
    await store.close()
  })
})

describe('The end of a journal', () => {
  const spoilt: readonly (readonly [string, (path: string) => void])[] = [
    ['is missing with its segment', (path) => rmSync(path)],
    ['is zeros', (path) => writeFileSync(path, zeroed(readFileSync(path), 64))],
    ['is cut off', (path) => truncateSync(path, readFileSync(path).length - 200)],
    ['has a bit flipped in its last line', (path) => writeFileSync(path, flippedAt(readFileSync(path), 40))],
  ]
  for (const [what, spoil] of spoilt) {
    it(`that ${what} is refused, and no number is given again on a person’s word`, async () => {
      const { folder } = await filled()
      const all = await found(folder)
      spoil(newestSegment(folder))
      await expect(found(folder)).rejects.toThrow(
        /8 (is|are) missing, and \.\.\/checkpoint\.json refers to it/,
      )
      const left = await found(folder, { acceptLoss: true })
      expect(left.seqs).toEqual(all.seqs.filter((seq) => left.seqs.includes(seq)))
      expect(left.seqs.length).toBeLessThan(8)
      const store = await openIn(folder)
      const { seq } = await store.journal.append(entry)
      expect(seq).toBeGreaterThan(8)
      await store.close()
      expect((await found(folder)).seqs).toEqual([...left.seqs, seq])
    })
  }

  it('is refused with the whole journal gone, and with one of an earlier moment in its place', async () => {
    const { folder, older } = await filled()
    const journal = join(folder, 'journal')
    rmSync(journal, { recursive: true })
    await expect(found(folder)).rejects.toThrow('entries 1 to 8 are missing')
    for (const name of filesIn(older('journal'))) {
      await disk.makeFolder(join(journal, name, '..'))
      copyFileSync(older(join('journal', name)), join(journal, name))
    }
    await expect(found(folder)).rejects.toThrow('entries 3 to 8 are missing')
  })

  it.each([300, 1])(
    'is refused when another journal as long has taken its place: segments of %i bytes',
    async (segmentBytes) => {
      const { folder } = await filled()
      const other = folders()
      await disk.makeFolder(other)
      const store = await openIn(other, { segmentBytes })
      for (let n = 0; n < 9; n++) await store.journal.append({ ...entry, key: 'other' })
      await store.close()
      rmSync(join(folder, 'journal'), { recursive: true })
      for (const name of filesIn(join(other, 'journal'))) {
        await disk.makeFolder(join(folder, 'journal', name, '..'))
        copyFileSync(join(other, 'journal', name), join(folder, 'journal', name))
      }
      await expect(found(folder)).rejects.toThrow('entry 8 is not the one that checkpoint.json refers to')
      expect((await found(folder, { acceptLoss: true })).seqs).toHaveLength(9)
      expect((await found(folder)).seqs).toHaveLength(9)
    },
  )

  it('that a crash cut short is told, with its bytes and its numbers', async () => {
    const folder = folders()
    await disk.makeFolder(folder)
    const clock = new ManualClock()
    const store = await openIn(folder, { clock, segmentBytes: 1e6 })
    await store.journal.appendAll([entry, entry])
    await store.journal.appendAll([entry, entry, entry])
    const path = newestSegment(folder)
    const bytes = (await readSegmentFile(disk, path)) ?? Buffer.alloc(0)
    // The process is killed: the checkpoint does not know of the entries yet.
    const killed = folders()
    await disk.makeFolder(join(killed, 'journal'))
    for (const name of filesIn(folder).filter((one) => !one.includes('views')))
      copyFileSync(join(folder, name), join(killed, name))
    await store.close()
    const warnings: string[] = []
    const warn = (text: string): void => void warnings.push(text.slice(killed.length))
    truncateSync(newestSegment(killed), bytes.length - 5)
    expect((await found(killed, { warn })).seqs).toEqual([1, 2])
    writeFileSync(
      newestSegment(killed),
      Buffer.concat([readFileSync(newestSegment(killed)), Buffer.alloc(64)]),
    )
    expect((await found(killed, { warn })).seqs).toEqual([1, 2])
    expect(
      warnings.map((text) => text.replace(/\d{3} bytes/, 'N bytes').replace(/byte \d+/, 'byte N')),
    ).toEqual([
      '/journal/0000000000000001.ndjson: N bytes cut off at byte N, a write that a crash cut short: entries 3 to 5',
      '/journal/0000000000000001.ndjson: 64 bytes cut off at byte N, a write that a crash cut short: from entry 3 on',
    ])
  })
})

/** No file of such a name can be made. */
const openUnless =
  (name: RegExp): FileSystem['open'] =>
  (path, mode) =>
    mode === 'create' && name.test(path)
      ? Promise.reject(new Error('ENOSPC: no space left on device'))
      : unsynced.open(path, mode)

const zeroed = (bytes: Buffer, last: number): Buffer =>
  Buffer.concat([bytes.subarray(0, -last), Buffer.alloc(last)])

function flippedAt(bytes: Buffer, fromEnd: number): Buffer {
  const flipped = Buffer.from(bytes)
  flipped.writeUInt8(flipped.readUInt8(bytes.length - fromEnd) ^ 1, bytes.length - fromEnd)
  return flipped
}
