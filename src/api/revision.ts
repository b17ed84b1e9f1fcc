import { Problem } from '../contract/errors.js'

const ONE_REVISION = /^(?:W\/)?(?:"(\d{1,15})"|(\d{1,15}))$/

/** The `ETag` of a record's revision. */
export const etagOf = (revision: number): string => `"${revision}"`

/** The revision that `If-Match` names; undefined when it is left out or is `*`, and any will do. */
export function revisionWanted(ifMatch: string | undefined): number | undefined {
  const given = ifMatch?.trim()
  if (given === undefined || given === '*') return undefined
  const [, quoted, bare] = ONE_REVISION.exec(given) ?? []
  const digits = quoted ?? bare
  if (digits === undefined) {
    throw new Problem('invalid_request', 'If-Match has to be the ETag of the record, such as "3", or *.', {
      errors: [{ pointer: 'If-Match', detail: 'must be one ETag, such as "3", or *' }],
    })
  }
  return Number(digits)
}
