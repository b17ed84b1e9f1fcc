import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  digestOf,
  encodeManifest,
  MANIFEST_NAME,
  verifyManifest,
} from '../../../../src/store/files/backup/manifest.js'
import { disk } from '../../../../src/store/files/disk/file-system.js'
import { scratchFolders } from '../../scratch-folder.js'

const folderOf = scratchFolders()
const FILES = { key: 'secret', 'journal/1.ndjson': 'entries', 'tools.json': '' }

/** A folder with these files and their manifest. */
async function backup(): Promise<{ folder: string; manifest: string; bytes: Buffer }> {
  const folder = folderOf()
  await disk.makeFolder(join(folder, 'journal'))
  for (const [path, text] of Object.entries(FILES)) writeFileSync(join(folder, path), text)
  const digests = Object.entries(FILES).map(([path, text]) => [path, digestOf(Buffer.from(text))] as const)
  const [manifest, bytes] = [join(folder, MANIFEST_NAME), encodeManifest(new Map(digests))]
  writeFileSync(manifest, bytes)
  return { folder, manifest, bytes }
}

test('a backup whose files are what its manifest lists is in order, whatever else is there', async () => {
  const { folder, manifest, bytes } = await backup()
  writeFileSync(join(folder, 'further'), 'x')
  expect(await verifyManifest(disk, folder)).toMatchObject({
    file: manifest,
    bytes: bytes.length,
    faults: [],
  })
})

test('a file that is gone and one that was changed are told apart', async () => {
  const { folder } = await backup()
  rmSync(join(folder, 'tools.json'))
  writeFileSync(join(folder, 'journal/1.ndjson'), 'entrieS')
  const faults = (await verifyManifest(disk, folder))?.faults.map(({ kind, file }) => [kind, file])
  expect(new Map(faults as [string, string][])).toEqual(
    new Map([
      ['damaged', join(folder, 'journal/1.ndjson')],
      ['missing', join(folder, 'tools.json')],
    ]),
  )
})

test('a manifest that was changed, cut off or continued is damaged itself, and nothing is believed of it', async () => {
  const { folder, manifest, bytes } = await backup()
  rmSync(join(folder, 'tools.json'))
  const flipped = Buffer.from(bytes)
  flipped.writeUInt8(flipped.readUInt8(3) ^ 1, 3)
  const line = bytes.subarray(0, bytes.indexOf('\n') + 1)
  const spoilt = [flipped, bytes.subarray(0, -1), Buffer.concat([bytes, line]), line, Buffer.alloc(0)]
  for (const one of spoilt) {
    writeFileSync(manifest, one)
    expect((await verifyManifest(disk, folder))?.faults).toMatchObject([{ kind: 'damaged', file: manifest }])
  }
})

test('a folder without a manifest has nothing to be compared with', async () => {
  const { folder, manifest } = await backup()
  rmSync(manifest)
  expect(await verifyManifest(disk, folder)).toBeUndefined()
})
