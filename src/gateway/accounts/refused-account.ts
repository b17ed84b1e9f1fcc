import { type ErrorCode, Problem } from '../../contract/errors.js'

/** Whose account is refused, for the audit; the identity provider has confirmed it. */
export interface AccountTrace {
  readonly issuer: string
  readonly subject: string
  readonly groups: readonly string[]
}

/** Bytes of the groups: a page that has failed takes them through its address. */
const MAX_GROUPS = 1000

/** A company account that gets no session. Who it was is in the audit, and not in the response. */
export class RefusedAccount extends Problem {
  readonly account: AccountTrace

  constructor(code: ErrorCode, detail: string, { issuer, subject, groups }: AccountTrace) {
    super(code, detail)
    let bytes = 0
    const fits = (group: string): boolean => {
      bytes += Buffer.byteLength(JSON.stringify(group))
      return bytes <= MAX_GROUPS
    }
    this.account = { issuer, subject, groups: groups.filter(fits) }
  }
}
