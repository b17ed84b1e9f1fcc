import { join } from 'node:path'
import { FURTHER_JOURNALS } from '../../store.js'
import { MANIFEST_NAME, verifyManifest } from '../backup/manifest.js'
import { type FolderContent, journalFolder, MISSING, missingFiles } from '../data-folder.js'
import { BACKUP, draftOf } from '../disk/durable-file.js'
import type { FileSystem } from '../disk/file-system.js'
import { LOCK_NAME } from '../disk/lock.js'
import { secretFault } from '../disk/secret.js'
import { CHECKPOINT_NAME, checkpointPath, lostFault, readCheckpoint } from '../documents/checkpoint.js'
import { type DocumentState, decodeStored } from '../documents/document-file.js'
import { inspectDocument } from '../documents/open-document.js'
import { type FaultKind, looked, type Verified, verifyJournal } from './verify.js'

/**
 * Reads every byte of a data folder or of a backup: the manifest, the checkpoint, the documents, the signing key and
 * the journal. Changes nothing and takes no lock: a daemon may be at work on the folder meanwhile.
 */
export async function* verifyFolder(
  fs: FileSystem,
  folder: string,
  content?: FolderContent,
): AsyncGenerator<Verified> {
  const names = await fs.list(folder)
  const manifest = await verifyManifest(fs, folder)
  if (manifest) yield manifest
  else if (names.some(isDocument) && !names.includes(LOCK_NAME))
    yield inspected(join(folder, MANIFEST_NAME), undefined, 'missing', NO_MANIFEST)
  // Read first: all that it lists was on disk then.
  const bytes = await fs.read(checkpointPath(folder))
  const read = await readCheckpoint(fs, folder)
  const known = read === 'damaged' ? undefined : read
  const fault = read === 'damaged' ? NOT_WRITTEN : await lostFault(fs, folder, known)
  if (bytes || fault) yield inspected(checkpointPath(folder), bytes, bytes ? 'damaged' : 'missing', fault)
  const previous = names.filter((name) => name.endsWith(BACKUP) && isDocument(ofPrevious(name)))
  const documents = [
    ...names.filter(isDocument),
    ...previous.map(ofPrevious),
    ...(known?.documents.keys() ?? []),
  ]
  for (const name of [...new Set(documents)].sort())
    yield await verifyOne(fs, join(folder, name), name, known?.documents.get(name), content)
  for (const name of previous) {
    const before = (await fs.read(join(folder, name))) ?? Buffer.alloc(0)
    const detail = decodeStored(before)?.isWhole ? undefined : `${NOT_WRITTEN}; the next write replaces it`
    yield inspected(join(folder, name), before, 'previous', detail)
  }
  let hasEntries = false
  for await (const verified of verifyJournal(fs, journalFolder(folder), known?.journal)) {
    hasEntries ||= verified.entries > 0
    yield verified
  }
  for (const name of FURTHER_JOURNALS)
    if (names.includes(name)) yield* verifyJournal(fs, journalFolder(folder, name))
  if (known || !hasEntries) return
  for (const path of await missingFiles(fs, folder, content))
    yield inspected(path, undefined, 'missing', MISSING)
}

const NOT_WRITTEN = 'it is not what was written'
const NO_MANIFEST =
  'it is gone: no daemon has opened this backup, and nothing shows that its files are those that were copied'

/** Of a collection, or a key. */
export const isDocument = (name: string): boolean =>
  /\.json$|^[a-z-]+-key$/.test(name) && name !== CHECKPOINT_NAME && draftOf(name) === undefined

const ofPrevious = (name: string): string => name.slice(0, -BACKUP.length)

async function verifyOne(
  fs: FileSystem,
  path: string,
  name: string,
  known: DocumentState | undefined,
  content: FolderContent | undefined,
): Promise<Verified> {
  if (name.endsWith('.json')) {
    const collection = name.slice(0, -'.json'.length)
    const check = content?.checks[collection]
    const migrations = content?.migrations?.[collection] ?? []
    const { bytes, fault } = (await inspectDocument(fs, path, { known, check, migrations })) ?? {}
    const kind = fault?.kind === 'newer' ? 'newer' : bytes ? 'damaged' : 'missing'
    return inspected(path, bytes, kind, fault?.detail)
  }
  const bytes = await fs.read(path)
  const length = content?.secrets[name] ?? bytes?.length ?? 0
  return inspected(path, bytes, bytes ? 'damaged' : 'missing', secretFault(bytes, length, known?.crc))
}

/** `detail`: what is wrong, also in several lines under a heading, each of which is a fault. */
function inspected(file: string, bytes: Buffer | undefined, kind: FaultKind, detail?: string): Verified {
  const [heading, ...lines] = detail?.split('\n').map((line) => line.trim()) ?? []
  const details = lines.length === 0 && heading !== undefined ? [heading] : lines
  const faults = details.map((one) => ({ kind, file, offset: null, detail: one }))
  return looked(file, bytes?.length ?? 0, faults)
}
