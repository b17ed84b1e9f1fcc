import { basename, dirname } from 'node:path'
import { type DamageKind, newerFault, StoreDamaged } from '../../failure.js'
import type { RecordCheck } from '../../record-check.js'
import type { Migration } from '../../store.js'
import { BACKUP, removeDrafts, setAside } from '../disk/durable-file.js'
import type { FileSystem } from '../disk/file-system.js'
import {
  type DocumentState,
  decodeStored,
  documentFault,
  type FoundDocument,
  formFault,
  type StoredDocument,
} from './document-file.js'
import { recordFaults } from './record-faults.js'

/** What a person allowed for this start. */
export interface Accepted {
  /** What is damaged or gone is given up: the generation before takes its place, or nothing. */
  readonly loss?: boolean
  /** Documents are taken as they are, since a person edited them or replaced them by older ones. */
  readonly edits?: boolean
}

/** What a document has to agree with. */
export interface Expected {
  /** What the checkpoint knows of the file. */
  readonly known: DocumentState | undefined
  /** The first leads from version 1 to 2, and so on. */
  readonly migrations?: readonly Migration[]
  readonly check?: RecordCheck | undefined
}

export interface DocumentOptions extends Expected {
  readonly accepted: Accepted
  readonly warn: (text: string) => void
}

export interface OpenedDocument {
  /** Its records are of the newest version. */
  readonly document: StoredDocument
  /** As it is on disk; undefined where a person accepted something else, which has to be written. */
  readonly state: DocumentState | undefined
}

/** A document, the generation before it, and why it is not served as it is. */
interface Inspected {
  readonly bytes: Buffer | undefined
  readonly found: FoundDocument | undefined
  readonly before: Buffer | undefined
  readonly fault: { readonly kind: DamageKind; readonly detail: string } | undefined
}

/** Undefined where there never was one. Changes nothing. */
export async function inspectDocument(
  fs: FileSystem,
  path: string,
  expected: Expected,
): Promise<Inspected | undefined> {
  const bytes = await fs.read(path)
  const before = await fs.read(`${path}${BACKUP}`)
  if (!bytes && !before && !expected.known) return undefined
  const found = bytes && decodeStored(bytes)
  return { bytes, found, before, fault: faultOf() }

  function faultOf(): Inspected['fault'] {
    if (!bytes) return { kind: 'lost', detail: goneWith(path, before) }
    if (!found) return { kind: 'unreadable', detail: formFault(bytes) }
    const newer = newerFault(found.version, newestVersion(expected))
    if (newer !== undefined) return { kind: 'newer', detail: newer }
    const edit = documentFault(found, expected.known)
    if (edit !== undefined) return { kind: 'edited', detail: edit }
    const invalid = checked(bytes, found, expected)
    return invalid === undefined ? undefined : { kind: 'invalid', detail: invalid }
  }
}

/** Undefined where there never was one. Throws `StoreDamaged`, with nothing changed. */
export async function openDocument(
  fs: FileSystem,
  path: string,
  options: DocumentOptions,
): Promise<OpenedDocument | undefined> {
  const { known, accepted, warn } = options
  await removeDrafts(fs, path)
  const inspected = await inspectDocument(fs, path, options)
  if (!inspected) return undefined
  const refusal = refusalOf(path, inspected, options)
  if (refusal) throw refusal
  const { bytes, found, before, fault } = inspected
  if (found && !fault) {
    // The process before may have died between giving the file its name and syncing the folder.
    await fs.syncFolder(dirname(path))
    // An older secsctl has to refuse it from now on: what is of an earlier version is written as it is now.
    if (found.version < newestVersion(options))
      return { document: migrated(above(found, known), options), state: undefined }
    return { document: migrated(found, options), state: found.state }
  }
  const { kind, detail = '' } = fault ?? {}
  if (found && kind === 'edited' && accepted.edits) {
    warn(`${path} is taken as it is (--accept-edits): ${detail}`)
    return { document: migrated(above(found, known), options), state: undefined }
  }
  const kept = bytes ? `; as it was, it is kept in ${await setAside(fs, path)}` : ''
  const newest = newestVersion(options)
  const [best] = [bytes, before]
    .flatMap((given) => {
      const one = given && decodeStored(given)
      if (!given || !one?.isWhole || one.version > newest) return []
      return checked(given, one, options) === undefined ? [one] : []
    })
    .sort((one, other) => other.generation - one.generation)
  const what = best ? `generation ${best.generation} takes its place` : 'it begins without records'
  warn(`${path}: ${detail}; ${what}${kept}`)
  const taken = above(best ?? { version: newest, generation: 0, records: [] }, known)
  return { document: migrated(taken, options), state: undefined }
}

/** Why a document is not opened; undefined where it is served, or may be edited or given up. */
function refusalOf(
  path: string,
  { bytes, found, fault }: Inspected,
  options: Pick<DocumentOptions, 'accepted'> & Expected,
): StoreDamaged | undefined {
  if (!fault) return undefined
  const { kind, detail } = fault
  const { edits, loss } = options.accepted
  if (found && bytes && kind === 'edited' && edits) {
    const invalid = checked(bytes, found, options, true)
    return invalid === undefined ? undefined : new StoreDamaged(path, undefined, invalid, 'invalid')
  }
  if (loss && kind !== 'newer') return undefined
  return new StoreDamaged(path, undefined, detail, kind === 'unreadable' && edits ? 'invalid' : kind)
}

/** The first of these that is found among several documents decides the advice. */
const BY_URGENCY: readonly DamageKind[] = ['newer', 'lost', 'unreadable', 'invalid', 'edited']

/** Throws one `StoreDamaged` that names every document that would not be opened. Changes nothing. */
export async function refuseDocuments(
  fs: FileSystem,
  documents: ReadonlyMap<string, Expected>,
  accepted: Accepted,
): Promise<void> {
  const refusals: StoreDamaged[] = []
  for (const [path, expected] of documents) {
    const inspected = await inspectDocument(fs, path, expected)
    const refusal = inspected && refusalOf(path, inspected, { ...expected, accepted })
    if (refusal) refusals.push(refusal)
  }
  const [first] = refusals
  if (!first) return
  const kind = BY_URGENCY.find((one) => refusals.some((refusal) => refusal.kind === one)) ?? first.kind
  const text = refusals.map(({ message }) => message).join('\n')
  throw new StoreDamaged(first.file, undefined, text.slice(`${first.file}: `.length), kind)
}

const newestVersion = ({ migrations = [] }: Expected): number => migrations.length + 1

const migrated = (document: StoredDocument, { migrations = [] }: Expected): StoredDocument => ({
  version: migrations.length + 1,
  generation: document.generation,
  records: migrations
    .slice(document.version - 1)
    .reduce((before, migrate) => migrate(before), document.records),
})

const checked = (
  bytes: Buffer,
  found: FoundDocument,
  expected: Expected,
  edited = false,
): string | undefined =>
  recordFaults(bytes.toString('utf8'), migrated(found, expected).records, expected.check, edited)

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
