import { createHash } from 'node:crypto'
import { Problem } from '../../contract/errors.js'
import { isWrittenOnce } from '../../kit/text/json-parts.js'

/** The revisions that `If-Match` names, one of which the record has to have; undefined if any will do. */
export type Revisions = readonly string[] | undefined

/** Records with an `ETag`, and which of their members change without a change of the record. */
const OBSERVED: Readonly<Record<string, readonly string[]>> = {
  Equipment: [],
  Sink: [
    ...['state', 'position', 'lag_entries', 'lag_seconds', 'delivered', 'dead'],
    ...['last_delivered_at', 'last_error'],
  ],
  User: [],
  ApiKey: ['expired', 'last_used_at'],
}
export type Revised = 'Equipment' | 'Sink' | 'User' | 'ApiKey'

/** The name of the record that a schema describes, if it is one with an `ETag`. */
export function revisedBy(schema: object): Revised | undefined {
  const { component } = schema as { readonly component?: string }
  return component !== undefined && Object.hasOwn(OBSERVED, component) ? (component as Revised) : undefined
}

const digestOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16)

/** What stays the same until the record is changed: its number, or a digest of what was set. */
export function revisionOf(kind: Revised, record: object): string {
  const { revision } = record as { readonly revision?: unknown }
  if (typeof revision === 'number') return String(revision)
  return digestOf(Object.entries(record).filter(([name]) => !OBSERVED[kind]?.includes(name)))
}

/** Of what never changes. */
const digests = new WeakMap<object, string>()

function digestOnce(record: object): string {
  const known = digests.get(record)
  if (known !== undefined) return known
  const digest = digestOf(record)
  if (isWrittenOnce(record)) digests.set(record, digest)
  return digest
}

/** The `ETag` of a response: the revision of the record, and a digest of all that the response has. */
export const etagOf = (kind: Revised, record: object): string =>
  `"${revisionOf(kind, record)}-${digestOnce(record)}"`

/** Throws `revision_mismatch` unless the record has one of these revisions. `name`: of the record. */
export function requireRevision(kind: Revised, record: object, name: string, revisions: Revisions): void {
  if (!revisions) return
  const revision = revisionOf(kind, record)
  if (revisions.includes(revision)) return
  const wanted = revisions.length === 0 ? 'one that a weak ETag names' : revisions.join(' or ')
  throw new Problem(
    'revision_mismatch',
    `${name} is at revision ${revision}, not ${wanted}. Read it again and repeat the change.`,
  )
}
