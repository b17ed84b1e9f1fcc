import { Problem } from '../../contract/errors.js'

const ONE_REVISION = /^(?:W\/)?(?:"(\d{1,15})"|(\d{1,15}))$/

/** The `ETag` of a record's revision. */
export const etagOf = (revision: number): string => `"${revision}"`

/** The revisions that `If-Match` names (RFC 9110); undefined when it is left out or is `*`, and any will do. */
export function revisionsWanted(ifMatch: string | undefined): readonly number[] | undefined {
  const given = ifMatch?.trim()
  if (given === undefined || given === '*') return undefined
  return given.split(',').map((tag) => {
    const [, quoted, bare] = ONE_REVISION.exec(tag.trim()) ?? []
    const digits = quoted ?? bare
    if (digits !== undefined) return Number(digits)
    throw new Problem('invalid_request', 'If-Match has to be the ETag of the record, such as "3", or *.', {
      errors: [{ pointer: 'If-Match', detail: 'must be ETags, such as "3", with commas between, or *' }],
    })
  })
}
