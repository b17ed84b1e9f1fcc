import { resolve } from 'node:path'
import { ROLES, type Role } from '../../../contract/roles.js'
import { MAX_SELECTOR, parseSelector } from '../../../contract/selector.js'
import { LOCAL_LOGINS, type LocalLogins } from '../../../contract/topics/accounts/sign-on.js'
import type { RunningSetting } from '../../../daemon/address-file.js'
import type { SignOnSettings } from '../../../daemon/daemon.js'
import { durationOf } from '../../../kit/duration-text.js'
import { editDistance } from '../../../kit/text/edit-distance.js'
import { memberOf, OIDC_NAMES, type OidcMember } from './auth-members.js'

type GroupRule = SignOnSettings['rules'][number]
type OidcValues = { readonly [Name in OidcMember]?: string | readonly string[] }

/** The setting `auth` of a configuration file: the form is checked, files are not read yet. */
export interface AuthSettings {
  readonly local: LocalLogins
  readonly oidc: OidcValues | undefined
  readonly roles: readonly GroupRule[]
  /** As `check-config` and `daemon status` show them. */
  readonly list: readonly RunningSetting[]
}

/** Where a value is, by its JSON Pointer in the file. */
type LineOf = (pointer: string) => number
type Fault = (pointer: string, detail: string) => void

const MIN_LIFETIME_MS = 60_000
const MAX_TOKEN_MS = 60 * 60_000
const MAX_SESSION_MS = 30 * 24 * 60 * 60_000
const MAX_RULES = 1000
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

/** Reads the setting. What is wrong is told to `fault`, all of it; what is returned then is not for use. */
export function readAuth(given: unknown, folder: string, lineOf: LineOf, fault: Fault): AuthSettings {
  const auth = mapIn(given, '/auth', ['oidc', 'local', 'roles'], fault) ?? {}
  const { local = LOCAL_LOGINS[0], roles } = auth
  if (!LOCAL_LOGINS.some((one) => one === local))
    fault('/auth/local', `auth.local takes ${LOCAL_LOGINS.join(' or ')}`)
  const oidc = auth['oidc'] === undefined ? undefined : readOidc(auth['oidc'], folder, fault)
  const rules = roles === undefined ? [] : readRules(roles, fault)
  if (oidc && roles === undefined)
    fault(
      '/auth/oidc',
      'auth.roles is missing, so nobody could sign on: add rules such as - { group: fab-admins, role: admin }',
    )
  if (!oidc && roles !== undefined) fault('/auth/roles', 'auth.roles are for auth.oidc, which is missing')
  if (!oidc && local === 'admins-only')
    fault('/auth/local', 'auth.local: admins-only needs auth.oidc: nobody else could log in')
  const members = Object(auth['oidc']) as object
  const shown: [string, RunningSetting['value'], isGiven: boolean][] = [
    ['auth.local', String(local), Object.hasOwn(auth, 'local')],
    ...OIDC_NAMES.flatMap((name): typeof shown => {
      const value = oidc?.[name]
      if (value === undefined) return []
      return [
        [`auth.oidc.${name}`, typeof value === 'string' ? value : [...value], Object.hasOwn(members, name)],
      ]
    }),
    ...(rules.length > 0 ? [['auth.roles', rules.map(ruleText), true] satisfies (typeof shown)[0]] : []),
  ]
  const list = shown.map(
    ([name, value, isGiven]): RunningSetting =>
      isGiven
        ? { name, value, source: 'file', line: lineOf(`/${name.replaceAll('.', '/')}`) }
        : { name, value, source: 'default' },
  )
  return { local: local as LocalLogins, oidc, roles: rules, list }
}

const ruleText = ({ group, role, labels }: GroupRule): string =>
  `${group}: ${role}${labels === null ? '' : ` (${labels})`}`

/** The members of a map, of which each has a known name; undefined for what is no map. */
function mapIn(
  given: unknown,
  at: string,
  known: readonly string[],
  fault: Fault,
): Readonly<Record<string, unknown>> | undefined {
  const path = at.slice(1).replaceAll('/', '.')
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    fault(at, `${path} has members: ${known.join(', ')}`)
    return undefined
  }
  for (const name of Object.keys(given)) {
    if (known.includes(name)) continue
    const [near] = known
      .map((one) => ({ one, off: editDistance(one, name.slice(0, 100).toLowerCase()) }))
      .filter(({ off }) => off <= 3)
      .sort((one, two) => one.off - two.off)
    fault(`${at}/${name}`, `there is no setting ${path}.${name}: write ${near?.one ?? known.join(', ')}`)
  }
  return given as Readonly<Record<string, unknown>>
}

function readOidc(given: unknown, folder: string, fault: Fault): OidcValues {
  const members = mapIn(given, '/auth/oidc', OIDC_NAMES, fault)
  if (!members) return {}
  const values: { [Name in OidcMember]?: string | readonly string[] } = {}
  for (const name of OIDC_NAMES) {
    const { kind, required, default: usual, example } = memberOf(name)
    const value = members[name]
    const at = `/auth/oidc/${name}`
    const path = `auth.oidc.${name}`
    if (value === undefined || value === null || value === '') {
      if (value !== undefined)
        fault(at, `${path} has no value; remove the line, or write ${name}: ${example ?? usual}`)
      else if (required) fault('/auth/oidc', `${path} is missing: write ${name}: ${example}`)
      else if (usual !== undefined) values[name] = usual
      continue
    }
    if (kind === 'texts') {
      const list = [value].flat()
      if (list.length === 0 || !list.every((one) => typeof one === 'string' && /^[!-~]+$/.test(one)))
        fault(at, `${path} takes a list of words`)
      else if (!list.includes('openid')) fault(at, `${path} has to contain openid`)
      else values[name] = list as string[]
      continue
    }
    if (typeof value !== 'string') {
      fault(at, `${path} takes text: write ${name}: ${JSON.stringify(String(value))}`)
      continue
    }
    const detail = kind === 'https' || kind === 'proxy' ? urlFault(value, kind, name) : undefined
    if (detail !== undefined) fault(at, `${path} ${detail}, such as ${example}`)
    else values[name] = kind === 'path' ? resolve(folder, value) : value
  }
  requireLifetime(values, 'token_lifetime', MAX_TOKEN_MS, '1h', fault)
  requireLifetime(values, 'session_lifetime', MAX_SESSION_MS, '30d', fault)
  return values
}

/** Clear text reaches this machine alone: a sign-on is worth no more than the way on which it comes. */
function urlFault(text: string, kind: 'https' | 'proxy', name: OidcMember): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol)) return 'takes an address'
  if (url.username || url.password || url.search || url.hash)
    return 'takes an address without a user, a query and a fragment'
  if (kind === 'https' && url.protocol === 'http:' && !LOOPBACK.test(url.hostname))
    return 'has to begin with https://'
  if (name === 'issuer' && url.pathname.includes('/.well-known/'))
    return 'takes the address of the provider, which ends before /.well-known'
  if (name !== 'issuer' && url.pathname !== '/') return 'takes an address without a path'
  return undefined
}

function requireLifetime(
  values: OidcValues,
  name: 'token_lifetime' | 'session_lifetime',
  most: number,
  mostText: string,
  fault: Fault,
): void {
  const value = values[name]
  if (value === undefined) return
  const ms = durationOf(String(value))
  if (ms === undefined || ms < MIN_LIFETIME_MS || ms > most)
    fault(`/auth/oidc/${name}`, `auth.oidc.${name} takes a duration from 1m to ${mostText}`)
}

function readRules(given: unknown, fault: Fault): readonly GroupRule[] {
  if (!Array.isArray(given) || given.length === 0 || given.length > MAX_RULES) {
    fault(
      '/auth/roles',
      `auth.roles takes a list of 1 to ${MAX_RULES} rules such as - { group: fab-admins, role: admin }`,
    )
    return []
  }
  const groups = new Map<string, number>()
  return given.flatMap((one: unknown, index) => {
    const at = `/auth/roles/${index}`
    const members = mapIn(one, at, ['group', 'role', 'labels'], fault)
    if (!members) return []
    const { group, role, labels = null } = members
    const rule = `rule ${index + 1} of auth.roles`
    if (typeof group !== 'string' || group === '') fault(at, `${rule} needs a group, as text`)
    else if (groups.has(group))
      fault(at, `${rule} never applies: rule ${groups.get(group)} names the group ${group} already`)
    else groups.set(group, index + 1)
    if (!ROLES.some((known) => known === role)) {
      const wrong = role === undefined ? '' : `, not ${JSON.stringify(role)}`
      fault(at, `${rule} needs a role: ${ROLES.join(', ')}${wrong}`)
    }
    const wrong = labels === null ? undefined : selectorFault(labels)
    if (wrong !== undefined) fault(`${at}/labels`, `${rule}: labels ${wrong}`)
    return [{ group: String(group), role: role as Role, labels: labels as string | null }]
  })
}

function selectorFault(labels: unknown): string | undefined {
  if (typeof labels !== 'string' || labels.length > MAX_SELECTOR)
    return "takes a selector, such as 'area=etch'"
  try {
    parseSelector(labels)
    return undefined
  } catch (error) {
    return `cannot be read: ${(error as Error).message}`
  }
}
