import { basename, dirname } from 'node:path'
import { StoreDamaged } from '../../failure.js'
import { BACKUP, removeDrafts, setAside } from '../disk/durable-file.js'
import type { FileSystem } from '../disk/file-system.js'
import type { DocumentState } from './document-file.js'
import { decodeStored, documentFault, type FoundDocument, type StoredDocument } from './document-file.js'

/** What a person allowed for this start. */
export interface Accepted {
  /** What is damaged or gone is given up: the generation before takes its place, or nothing. */
  readonly loss?: boolean
  /** Documents are taken as they are, since a person edited them or replaced them by older ones. */
  readonly edits?: boolean
}

export interface DocumentOptions {
  /** What the checkpoint knows of the file. */
  readonly known: DocumentState | undefined
  /** The highest version of records that is understood. */
  readonly newest: number
  readonly accepted: Accepted
  readonly warn: (text: string) => void
}

export interface OpenedDocument {
  readonly document: StoredDocument
  /** As it is on disk; undefined where a person accepted something else, which has to be written. */
  readonly state: DocumentState | undefined
}

/** Undefined where there never was one. Throws `StoreDamaged`, with nothing changed. */
export async function openDocument(
  fs: FileSystem,
  path: string,
  { known, newest, accepted, warn }: DocumentOptions,
): Promise<OpenedDocument | undefined> {
  await removeDrafts(fs, path)
  const bytes = await fs.read(path)
  const before = await fs.read(`${path}${BACKUP}`)
  if (!bytes && !before && !known) return undefined
  const found = bytes && decodeStored(bytes)
  refuseNewer(path, found, newest)
  const fault = bytes ? documentFault(found, known) : goneWith(path, before)
  if (found && fault === undefined) {
    // The process before may have died between giving the file its name and syncing the folder.
    await fs.syncFolder(dirname(path))
    return { document: found, state: found.state }
  }
  const previous = before && decodeStored(before)
  if (found && accepted.edits) {
    warn(`${path} is taken as it is (--accept-edits): ${fault}`)
    return { document: above(found, known), state: undefined }
  }
  if (!accepted.loss) throw new StoreDamaged(path, undefined, `${fault}${found ? EDITED : ''}`)
  const kept = bytes ? `; as it was, it is kept in ${await setAside(fs, path)}` : ''
  const whole = [found, previous].filter((one) => one?.isWhole && one.version <= newest)
  const [best] = whole.sort((one, other) => (other?.generation ?? 0) - (one?.generation ?? 0))
  const what = best ? `generation ${best.generation} takes its place` : 'it begins without records'
  warn(`${path}: ${fault}; ${what}${kept}`)
  return { document: above(best ?? { version: newest, generation: 0, records: [] }, known), state: undefined }
}

const EDITED = '. Start once with --accept-edits to take the file as it is, if you changed it by hand'

/** The next write of it is of a generation that none had. */
const above = (document: StoredDocument, known: DocumentState | undefined): StoredDocument => ({
  ...document,
  generation: Math.max(document.generation, known?.generation ?? 0),
})

/** A crash never takes the file away; starting without it would soon take the generation before, too. */
function goneWith(path: string, before: Buffer | undefined): string {
  const backup = `${path}${BACKUP}`
  return before
    ? `it is gone, and the one before it is in ${backup}`
    : `it is gone, and so is ${basename(backup)}, the one before it`
}

function refuseNewer(path: string, found: FoundDocument | undefined, newest: number): void {
  if (!found || found.version <= newest) return
  const why = `version ${found.version} is of a newer secsctl than this (${newest})`
  throw new StoreDamaged(path, undefined, why)
}
