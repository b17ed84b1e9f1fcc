import type { FastifyRequest } from 'fastify'
import { type AnyEndpoint, IF_MATCH } from '../../contract/endpoint.js'
import { Problem } from '../../contract/errors.js'
import type { Revisions } from '../../gateway/records/revision.js'

/** An `ETag` of ours begins with the revision; that alone is taken as well, also without quotes. */
const ONE_TAG = /^(W\/)?(?:"([^"\s]{0,128})"|(\d{1,15}))$/

/**
 * The revisions that `If-Match` names; undefined when it is left out or is `*`, and any will do. The comparison is
 * strong (RFC 9110, 13.1.1), so a weak tag names none. Throws `invalid_request` where the call does not look at it, and
 * for `If-None-Match` of a call that changes something: ignored, the call would do what its caller forbids.
 */
export function revisionsWanted({ headers }: FastifyRequest, row: AnyEndpoint): Revisions {
  if (row.method !== 'GET' && headers['if-none-match'] !== undefined)
    throw refused('If-None-Match', 'This call takes no If-None-Match.', 'is not taken by this call')
  const given = headers['if-match']?.trim()
  if (given === undefined || row.method === 'GET') return undefined
  if (!row.headers.includes(IF_MATCH))
    throw refused('If-Match', 'This call takes no If-Match.', 'is not taken by this call')
  if (given === '*') return undefined
  return given.split(',').flatMap((tag) => {
    const match = ONE_TAG.exec(tag.trim())
    if (!match)
      throw refused(
        'If-Match',
        'If-Match has to be the ETag of the record, or *.',
        'must be ETags, such as "3-5f0c12ab90de4471", with commas between, or *',
      )
    const [, weak, quoted, bare = quoted ?? ''] = match
    return weak ? [] : [bare.split('-', 1)[0] ?? '']
  })
}

/** Whether the caller has this response already: `If-None-Match` names its `ETag`. */
export function isKnown({ method, headers }: FastifyRequest, etag: string): boolean {
  const given = headers['if-none-match']?.trim()
  if (given === undefined || (method !== 'GET' && method !== 'HEAD')) return false
  return given === '*' || given.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}

const refused = (header: string, detail: string, fault: string): Problem =>
  new Problem('invalid_request', detail, { errors: [{ pointer: header, detail: fault }] })
