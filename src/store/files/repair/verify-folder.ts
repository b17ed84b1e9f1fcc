import { join } from 'node:path'
import { verifyManifest } from '../backup/manifest.js'
import { journalFolder } from '../data-folder.js'
import { BACKUP, draftOf } from '../disk/durable-file.js'
import type { FileSystem } from '../disk/file-system.js'
import { CHECKPOINT_NAME, checkpointPath, lostFault, readCheckpoint } from '../documents/checkpoint.js'
import { crcOf, type DocumentState, decodeStored, documentFault } from '../documents/document-file.js'
import { type Fault, type FaultKind, type Verified, verifyJournal } from './verify.js'

/**
 * Reads every byte of a data folder or of a backup: the manifest, the checkpoint, the documents, the signing key and
 * the journal. Changes nothing and takes no lock: a daemon may be at work on the folder meanwhile.
 */
export async function* verifyFolder(fs: FileSystem, folder: string): AsyncGenerator<Verified> {
  const manifest = await verifyManifest(fs, folder)
  if (manifest) yield manifest
  // Before all else: what it knows was on disk.
  const bytes = await fs.read(checkpointPath(folder))
  const read = await readCheckpoint(fs, folder)
  const known = read === 'damaged' ? undefined : read
  const names = await fs.list(folder)
  const fault = read === 'damaged' ? NOT_WRITTEN : await lostFault(fs, folder, known)
  if (bytes || fault) yield looked(checkpointPath(folder), bytes, bytes ? 'damaged' : 'missing', fault)
  const documents = new Set([...names.filter(isDocument), ...(known?.documents.keys() ?? [])])
  for (const name of [...documents].sort())
    yield verifyOne(join(folder, name), await fs.read(join(folder, name)), known?.documents.get(name))
  for (const name of names.filter(
    (one) => isDocument(one.slice(0, -BACKUP.length)) && one.endsWith(BACKUP),
  )) {
    const before = (await fs.read(join(folder, name))) ?? Buffer.alloc(0)
    const detail = decodeStored(before)?.isWhole ? undefined : `${NOT_WRITTEN}; the next write replaces it`
    yield looked(join(folder, name), before, 'previous', detail)
  }
  yield* verifyJournal(fs, journalFolder(folder), known?.journal)
}

const NOT_WRITTEN = 'it is not what was written'

/** Of a collection, or a key. */
export const isDocument = (name: string): boolean =>
  /\.json$|^[a-z-]+-key$/.test(name) && name !== CHECKPOINT_NAME && draftOf(name) === undefined

function verifyOne(path: string, bytes: Buffer | undefined, known: DocumentState | undefined): Verified {
  if (!bytes) return looked(path, bytes, 'missing', known && 'it is gone')
  if (path.endsWith('.json')) return looked(path, bytes, 'damaged', documentFault(decodeStored(bytes), known))
  return looked(path, bytes, 'damaged', known && known.crc !== crcOf(bytes) ? NOT_WRITTEN : undefined)
}

function looked(file: string, bytes: Buffer | undefined, kind: FaultKind, detail?: string): Verified {
  const faults: Fault[] = detail === undefined ? [] : [{ kind, file, offset: null, detail }]
  return { file, bytes: bytes?.length ?? 0, entries: 0, first: null, last: null, faults }
}
