import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { disk } from '../../../../src/store/files/disk/file-system.js'
import {
  crcOf,
  decodeStored,
  documentFault,
  encodeStored,
  formFault,
} from '../../../../src/store/files/documents/document-file.js'
import { refuseDocuments } from '../../../../src/store/files/documents/open-document.js'
import { recordFaults } from '../../../../src/store/files/documents/record-faults.js'
import { scratchFolders } from '../../scratch-folder.js'

const folderOf = scratchFolders()
const textOf = (records: readonly unknown[]): string => JSON.stringify({ records }, undefined, 1)

test.each<[string, readonly unknown[], RegExp]>([
  ['no object', [{ id: 'a' }, 7], /line 6, record 2: must be an object$/],
  ['null', [null], /line 3, record 1: must be an object$/],
  ['an array', [[]], /line 3, record 1: must be an object$/],
  ['no id', [{ name: 'etcher' }], /line 3, record 1 \(etcher\), \/id: must be a string$/],
  ['an empty id', [{ id: '' }], /line 4, record 1, \/id: must be a string$/],
  ['an id that is a number', [{ id: 7 }], /record 1, \/id: must be a string$/],
  ['the id of another', [{ id: 'a' }, { id: 'a' }], /line 7, record a, \/id: a is the id of another record$/],
])('a record that is or has %s is named with its line', (_, records, expected) => {
  expect(recordFaults(textOf(records), records)).toMatch(expected)
})

test('what the check of a collection finds is named, up to 20 faults', () => {
  const records = [{ id: 'a', timers: { t3: -1 } }]
  const seen: unknown[] = []
  const check =
    (count: number) =>
    (...given: readonly unknown[]) => {
      seen.push(given)
      return Array.from({ length: count }, () => ({ pointer: '/0/timers/t3', detail: 'must be more' }))
    }
  expect(recordFaults(textOf(records), records, check(0), true)).toBeUndefined()
  expect(recordFaults(textOf(records), records)).toBeUndefined()
  expect(seen).toEqual([[records, true]])
  const linesOf = (count: number) =>
    recordFaults(textOf(records), records, check(count))?.split('\n').slice(1)
  expect(linesOf(20)).toEqual(Array(20).fill('  line 6, record a, /timers/t3: must be more'))
  expect(linesOf(21)?.slice(19)).toEqual([expect.stringContaining('record a'), '  and 1 more'])
})

test('a member that is there twice is found in what a person edited, and a check that fails is no crash', () => {
  const twice = '{"records":[{"id":"a","id":"b"}]}'
  expect(recordFaults(twice, [{ id: 'b' }], () => [], true)).toContain('"id"')
  expect(recordFaults(twice, [{ id: 'b' }], () => [], false)).toBeUndefined()
  const failing = () => {
    throw new Error('cannot be checked')
  }
  expect(recordFaults(textOf([{ id: 'a' }]), [{ id: 'a' }], failing)).toBe('cannot be checked')
})

const bytesOf = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value)}\n`)
const DOCUMENT = { version: 1, generation: 3, records: [] }

test.each([
  ['no object', 7],
  ['null', null],
  ['no version', { records: [] }],
  ['version 0', { version: 0, records: [] }],
  ['a version that is no whole number', { version: 1.5, records: [] }],
  ['no records', { version: 1 }],
  ['records that are no array', { version: 1, records: {} }],
  ['a checksum and no generation', { version: 1, records: [], crc: '0' }],
  ['a generation below 0', { version: 1, generation: -1, records: [], crc: '0' }],
])('%s is no document', (_, value) => {
  expect(decodeStored(bytesOf(value))).toBeUndefined()
})

test('a document is what was written, of an earlier version without a checksum, or changed', () => {
  const [whole, old] = [encodeStored(DOCUMENT), bytesOf({ version: 2, records: [1] })]
  const crc = decodeStored(whole)?.state.crc ?? ''
  expect(decodeStored(whole)).toEqual({
    ...DOCUMENT,
    state: { generation: 3, crc },
    isSealed: true,
    isWhole: true,
  })
  expect(decodeStored(old)).toEqual({
    ...{ version: 2, generation: 0, records: [1], isSealed: false, isWhole: true },
    state: { generation: 0, crc: crcOf(old) },
  })
  for (const one of [whole.subarray(0, -1), bytesOf(DOCUMENT), Buffer.concat([whole, Buffer.from(' ')])])
    expect(decodeStored(one)).toMatchObject({ isSealed: true, isWhole: false, state: { crc: '' } })
})

test('why a document is not the one that was written last', () => {
  const found = decodeStored(encodeStored(DOCUMENT))
  const crc = found?.state.crc ?? ''
  const faultOf = (known: { readonly generation: number; readonly crc: string } | undefined, given = found) =>
    given && documentFault(given, known)
  expect(faultOf(undefined)).toBeUndefined()
  expect(faultOf({ generation: 3, crc })).toBeUndefined()
  expect(faultOf({ generation: 2, crc: 'other' })).toBeUndefined()
  expect(faultOf({ generation: 4, crc })).toContain('an older file')
  expect(faultOf({ generation: 3, crc: 'other' })).toContain('not what was written')
  const old = decodeStored(bytesOf({ version: 1, records: [] }))
  expect(faultOf({ generation: 0, crc: old?.state.crc ?? '' }, old)).toBeUndefined()
  expect(faultOf({ generation: 1, crc }, old)).toContain('no checksum')
  expect(faultOf(undefined, decodeStored(bytesOf(DOCUMENT)))).toContain('checksum does not match')
})

test.each([
  ['an encoding that is not UTF-8', Buffer.from([0x7b, 0xff]), 'UTF-8'],
  ['UTF-16', Buffer.from('{}', 'utf16le'), 'UTF-8'],
  ['a byte order mark', Buffer.from('\ufeff{}'), 'BOM'],
  ['no JSON', Buffer.from('{'), 'not valid JSON'],
  ['other JSON', Buffer.from('{}'), 'no document'],
])('bytes with %s are told apart', (_, bytes, expected) => {
  expect(formFault(bytes)).toContain(expected)
})

test('of several documents that are refused the most urgent fault decides the advice, and all are named', async () => {
  const folder = folderOf()
  await disk.makeFolder(folder)
  const pathOf = (name: string): string => join(folder, `${name}.json`)
  const contents = {
    edited: bytesOf(DOCUMENT),
    invalid: encodeStored({ ...DOCUMENT, records: [7] }),
    unreadable: Buffer.from('{'),
    newer: encodeStored({ ...DOCUMENT, version: 2 }),
    right: encodeStored(DOCUMENT),
  }
  for (const [name, bytes] of Object.entries(contents)) writeFileSync(pathOf(name), bytes)
  const refused = (names: readonly string[], accepted = {}) => {
    const known = { generation: 1, crc: '0' }
    const documents = names.map(
      (name) => [pathOf(name), { known: name === 'lost' ? known : undefined }] as const,
    )
    return refuseDocuments(disk, new Map(documents), accepted).catch((error) => error)
  }
  const names = ['edited', 'invalid', 'unreadable', 'lost', 'newer']
  for (let count = 1; count <= names.length; count++) {
    const some = names.slice(0, count)
    const error = await refused(['right', ...some, 'never'])
    expect(error).toMatchObject({ name: 'StoreDamaged', kind: some.at(-1), file: pathOf('edited') })
    for (const name of some) expect(error.message.split(pathOf(name)), name).toHaveLength(2)
  }
  expect(await refused(['right', 'never'])).toBeUndefined()
  const kinds = async (accepted: object) =>
    Promise.all(names.map(async (name) => (await refused([name], accepted))?.kind))
  expect(await kinds({ edits: true })).toEqual([undefined, 'invalid', 'invalid', 'lost', 'newer'])
  expect(await kinds({ loss: true })).toEqual([undefined, undefined, undefined, undefined, 'newer'])
})
