import { Problem } from '../../contract/errors.js'
import type { CompanyAccount, GrantedRule } from '../accounts/company-account.js'
import type { VerifiedUser } from './identity-provider.js'
import type { SignOnSettings } from './sign-on-settings.js'

type Claims = VerifiedUser['claims']

/** Groups that are kept of a user, and characters of one. */
const MAX_GROUPS = 100
const MAX_GROUP = 256
const MAX_NAME = 64
/** As the API takes an email, without what cannot be printed. */
const EMAIL = /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u
const MAX_EMAIL = 254

/** The claim of this name, or at a path with dots in it, such as `realm_access.roles`. */
function claimAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  let found: unknown = claims
  for (const step of name.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined
    found = (found as Readonly<Record<string, unknown>>)[step]
  }
  return found
}

/** True where the claims have the groups, be there any or none. */
export const hasGroups = (claims: Claims, { groupsClaim }: Pick<SignOnSettings, 'groupsClaim'>): boolean =>
  claimAt(claims, groupsClaim) !== undefined

/** The groups of a user. Throws `sso_failed`, with the claims that came, where there is no claim with groups. */
function groupsIn(claims: Claims, groupsClaim: string): readonly string[] {
  const found = claimAt(claims, groupsClaim)
  if (typeof found === 'string') return [found]
  if (Array.isArray(found)) return found.filter((group): group is string => typeof group === 'string')
  throw new Problem('sso_failed', missingGroups(claims, groupsClaim, found !== undefined))
}

/** Why claims have no groups. `isThere`: the claim came, and has no list. */
function missingGroups(claims: Claims, groupsClaim: string, isThere: boolean): string {
  if (typeof Object(claims['_claim_names'])[groupsClaim] === 'string' || claims['hasgroups'])
    return 'The user is in more groups than the identity provider puts into a token. Have it send only the groups that are assigned to the application.'
  if (isThere)
    return `The claim "${groupsClaim}" is no list of groups. Name another one in auth.oidc.groups_claim.`
  const names = Object.keys(claims).sort().join(', ')
  return `The identity provider sends no claim "${groupsClaim}" with the groups of the user. These claims came: ${names}. Have the provider add it, or name another one in auth.oidc.groups_claim.`
}

/** The first rule that names one of the groups, as they are written: a group that begins alike is another one. */
const ruleOf = (rules: readonly GrantedRule[], groups: readonly string[]): GrantedRule | undefined => {
  const own = new Set(groups)
  return rules.find(({ group }) => own.has(group))
}

/** The account that the claims describe. Throws `sso_failed` where they have no groups. */
export function accountOf({ subject, claims }: VerifiedUser, settings: SignOnSettings): CompanyAccount {
  const groups = groupsIn(claims, settings.groupsClaim)
  const email = emailOf(subject, claims, settings.issuer)
  const [given = email] = [claims['name'], claims['preferred_username']].filter(
    (one): one is string => typeof one === 'string' && one.trim() !== '',
  )
  const rule = ruleOf(settings.rules, groups)
  // The group of the rule is always among those that are kept.
  const kept = [...new Set([...(rule ? [rule.group] : []), ...groups])]
  return {
    issuer: settings.issuer,
    subject,
    email,
    name: printable(given).slice(0, MAX_NAME).trim() || email.slice(0, MAX_NAME),
    groups: kept.filter(({ length }) => length <= MAX_GROUP).slice(0, MAX_GROUPS),
    rule,
  }
}

/** What a user is called. An email that the provider has not verified could be that of somebody else. */
function emailOf(subject: string, claims: Claims, issuer: string): string {
  const { email, email_verified, preferred_username, upn } = claims
  // Some providers send this claim as a text.
  const candidates = [String(email_verified) === 'false' ? undefined : email, preferred_username, upn]
  const found = candidates.find(
    (one): one is string => typeof one === 'string' && EMAIL.test(one) && one.length <= MAX_EMAIL,
  )
  if (found !== undefined) return found
  const name = typeof preferred_username === 'string' && preferred_username ? preferred_username : subject
  const { hostname } = new URL(issuer)
  const local = printable(name).replace(/[\s@]/g, '_') || 'user'
  return `${local.slice(0, MAX_EMAIL - hostname.length - 1)}@${hostname}`
}

const printable = (text: string): string => text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
