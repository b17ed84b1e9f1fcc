import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readLogins } from '../../../src/cli/daemon/settings/auth-files.js'
import { faultsOfFiles } from '../../../src/cli/daemon/settings/named-files.js'
import { effectiveSettings } from '../../../src/cli/daemon/settings/settings.js'
import { systemClock } from '../../../src/kit/clock.js'
import { AUTHORITY } from '../../support/certificates.js'
import { runCommand } from '../../support/command.js'

let folder: string
const file = (name: string, text: string, mode = 0o600): void =>
  writeFileSync(join(folder, name), text, { mode })

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'secsctl-auth-'))
  mkdirSync(join(folder, 'a-folder'))
  file('secret', 'a secret of a client\n')
  file('open', 'a secret of a client\n', 0o644)
  file('empty', ' \n')
  file('ca.pem', AUTHORITY)
  file('broken.pem', '-----BEGIN CERTIFICATE-----\nbroken\n-----END CERTIFICATE-----\n')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const OIDC: readonly string[] = [
  'issuer: https://login.fab.example/realms/fab',
  'client_id: secsctl',
  'client_secret_file: secret',
  'public_url: https://fab2.example:7327',
  'ca: ca.pem',
]
const ROLES: readonly string[] = [
  '- { group: fab-admins, role: admin }',
  "- { group: fab-etch-eng, role: engineer, labels: 'area=etch' }",
]

/** A file whose setting `auth` has these lines. */
const configured = (oidc = OIDC, roles = ROLES, more: readonly string[] = []): string =>
  [
    'auth:',
    ...more.map((line) => `  ${line}`),
    '  oidc:',
    ...oidc.map((line) => `    ${line}`),
    ...(roles.length > 0 ? ['  roles:'] : []),
    ...roles.map((line) => `    ${line}`),
  ].join('\n')

/** Members in the place of others, or in addition. */
const withLine = (...lines: readonly string[]): string => {
  const names = lines.map((line) => line.slice(0, line.indexOf(':')))
  return configured([...OIDC.filter((line) => !names.includes(line.slice(0, line.indexOf(':')))), ...lines])
}
const without = (name: string): string => configured(OIDC.filter((line) => !line.startsWith(`${name}:`)))
const withRoles = (...roles: readonly string[]): string => configured(OIDC, roles)

async function read(text: string) {
  const config = join(folder, 'daemon.yaml')
  writeFileSync(config, text, { mode: 0o644 })
  const effective = await effectiveSettings({ config }, {})
  const others = await faultsOfFiles(effective, { variables: {}, stdin: process.stdin, clock: systemClock })
  return { effective, faults: [...effective.faults, ...others] }
}

test('right values are taken, with what their files have', async () => {
  const { effective, faults } = await read(configured())
  expect(faults).toEqual([])
  if (!effective.auth) throw new Error('there is no auth')
  expect(await readLogins(effective.auth)).toMatchObject({
    localLogins: 'everybody',
    signOn: {
      issuer: 'https://login.fab.example/realms/fab',
      clientSecret: 'a secret of a client',
      ca: AUTHORITY,
      tokenSeconds: 600,
      sessionMs: 12 * 60 * 60_000,
      rules: [{ group: 'fab-admins', role: 'admin', labels: null }, { labels: 'area=etch' }],
    },
  })
})

const LAST_OIDC = 2 + OIDC.length

/** The last line of `oidc`. */
const LAST = -1

type Row = readonly [what: string, text: string, line: number, detail: RegExp]

const FORMS: readonly Row[] = [
  ['auth that is no map', 'auth: yes', 1, /^auth has members: oidc, local, roles$/],
  ['auth without a value', 'auth:', 1, /^auth has members/],
  [
    'a list in the place of oidc',
    'auth:\n  oidc: [a]\n  roles: [{ group: a, role: admin }]',
    2,
    /^auth\.oidc has members/,
  ],
  [
    'an unknown member',
    configured(OIDC, ROLES, ['odic: 1']),
    2,
    /^there is no setting auth\.odic: write oidc$/,
  ],
  ['an unknown member of oidc', withLine('client: a'), LAST, /no setting auth\.oidc\.client: write/],
  [
    'a member of oidc beside it',
    configured(OIDC, ROLES, ['issuer: a']),
    2,
    /^there is no setting auth\.issuer/,
  ],
  ['a member that is far from all', withLine('zzzzzzzzzzz: 1'), LAST, /write issuer, client_id/],
  ['a name that objects have', withLine('constructor: 1'), LAST, /no setting auth\.oidc\.constructor/],
  [
    'local with another word',
    configured(OIDC, ROLES, ['local: admins']),
    2,
    /^auth\.local takes everybody or admins-only$/,
  ],
  ['local without a value', configured(OIDC, ROLES, ['local:']), 2, /^auth\.local takes/],
  ['admins-only without oidc', 'auth:\n  local: admins-only', 2, /needs auth\.oidc/],
  [
    'roles without oidc',
    'auth:\n  roles: [{ group: a, role: admin }]',
    2,
    /for auth\.oidc, which is missing/,
  ],
  ['oidc without roles', configured(OIDC, []), 3, /^auth\.roles is missing, so nobody could sign on/],
]

const REPEATED: readonly Row[] = [
  [
    'a member of auth',
    configured(OIDC, ROLES, ['local: everybody', 'local: admins-only']),
    3,
    /^auth\.local is already set in line 2/,
  ],
  [
    'a member of oidc',
    configured([...OIDC, 'issuer: https://evil.example']),
    LAST_OIDC + 1,
    /^auth\.oidc\.issuer is already set in line 3: remove one/,
  ],
  [
    'a member of a rule',
    withRoles('- { group: a, role: viewer, role: admin }'),
    LAST_OIDC + 2,
    /^auth\.roles\.0\.role is already set/,
  ],
]

const MEMBERS: readonly Row[] = [
  ['no issuer', without('issuer'), 3, /^auth\.oidc\.issuer is missing: write issuer: https:/],
  ['no client', without('client_id'), 3, /^auth\.oidc\.client_id is missing/],
  ['no address of the gateway', without('public_url'), 3, /^auth\.oidc\.public_url is missing/],
  ['an empty value', withLine('client_id:'), LAST, /^auth\.oidc\.client_id has no value; remove the line/],
  [
    'an issuer in clear text',
    withLine('issuer: http://login.fab.example'),
    LAST,
    /^auth\.oidc\.issuer has to begin with https:/,
  ],
  [
    'clear text at what looks like this machine',
    withLine('issuer: http://127.0.0.1.evil.example'),
    LAST,
    /https:/,
  ],
  [
    'an issuer that is no address',
    withLine('issuer: login.fab.example'),
    LAST,
    /^auth\.oidc\.issuer takes an address, such as/,
  ],
  ['an issuer of another kind', withLine('issuer: ftp://login.fab.example'), LAST, /takes an address/],
  [
    'the document of the provider',
    withLine('issuer: https://a.example/.well-known/openid-configuration'),
    LAST,
    /ends before \/\.well-known/,
  ],
  [
    'an issuer with a query',
    withLine('issuer: https://a.example/?realm=fab'),
    LAST,
    /without a user, a query and a fragment/,
  ],
  [
    'a gateway in clear text',
    withLine('public_url: http://fab2.example:7327'),
    LAST,
    /^auth\.oidc\.public_url has to begin/,
  ],
  ['a gateway below a path', withLine('public_url: https://fab.example/gateway'), LAST, /without a path/],
  [
    'a number as the client',
    withLine('client_id: 17'),
    LAST,
    /^auth\.oidc\.client_id takes text: write client_id: "17"$/,
  ],
  ['a list as the client', withLine('client_id: [a, b]'), LAST, /^auth\.oidc\.client_id takes text/],
  [
    'scopes without openid',
    withLine('scopes: [profile]'),
    LAST,
    /^auth\.oidc\.scopes has to contain openid$/,
  ],
  ['scopes with a space', withLine("scopes: ['openid profile']"), LAST, /takes a list of words/],
  [
    'a lifetime without a unit',
    withLine('token_lifetime: "10"'),
    LAST,
    /token_lifetime takes a duration from 1m to 1h$/,
  ],
  ['tokens that end at once', withLine('token_lifetime: 30s'), LAST, /token_lifetime takes a duration/],
  ['tokens of a day', withLine('token_lifetime: 1d'), LAST, /token_lifetime takes a duration/],
  [
    'sessions of a year',
    withLine('session_lifetime: 365d'),
    LAST,
    /session_lifetime takes a duration from 1m to 30d/,
  ],
  [
    'a proxy with a password',
    withLine('proxy: http://ann:pw@proxy:3128'),
    LAST,
    /^auth\.oidc\.proxy takes an address without a user/,
  ],
  [
    'a proxy of another kind',
    withLine('proxy: socks5://proxy:1080'),
    LAST,
    /^auth\.oidc\.proxy takes an address, such as http/,
  ],
]

const FILES: readonly Row[] = [
  [
    'a secret that is not there',
    withLine('client_secret_file: none'),
    LAST,
    /client_secret_file cannot be read: there is no file/,
  ],
  [
    'a secret that others can read',
    withLine('client_secret_file: open'),
    LAST,
    /open is open to other users \(mode 0644\)/,
  ],
  [
    'a secret that is empty',
    withLine('client_secret_file: empty'),
    LAST,
    /^auth\.oidc\.client_secret_file is empty$/,
  ],
  [
    'a folder as the secret',
    withLine('client_secret_file: a-folder'),
    LAST,
    /client_secret_file cannot be read/,
  ],
  [
    'authorities that are not there',
    withLine('ca: none'),
    LAST,
    /^auth\.oidc\.ca cannot be read: there is no file/,
  ],
  ['authorities that are none', withLine('ca: secret'), LAST, /^auth\.oidc\.ca has no certificate in PEM/],
  [
    'authorities that are broken',
    withLine('ca: broken.pem'),
    LAST,
    /^auth\.oidc\.ca has a certificate that cannot be read$/,
  ],
]

const AT_ROLES = LAST_OIDC + 2
const RULES: readonly Row[] = [
  [
    'no list',
    configured(OIDC, ['group: a', 'role: admin']),
    AT_ROLES,
    /^auth\.roles takes a list of 1 to 1000 rules/,
  ],
  ['an empty list', `${configured(OIDC, [])}\n  roles: []`, LAST_OIDC + 1, /^auth\.roles takes a list/],
  [
    'a word as a rule',
    withRoles('- fab-admins'),
    AT_ROLES,
    /^auth\.roles\.0 has members: group, role, labels$/,
  ],
  [
    'a rule without a group',
    withRoles('- { role: admin }'),
    AT_ROLES,
    /^rule 1 of auth\.roles needs a group, as text$/,
  ],
  [
    'a number as a group',
    withRoles('- { group: 17, role: admin }'),
    AT_ROLES,
    /rule 1 of auth\.roles needs a group, as text/,
  ],
  [
    'a group twice',
    withRoles(...ROLES, '- { group: fab-admins, role: viewer }'),
    AT_ROLES + 2,
    /^rule 3 of auth\.roles never applies: rule 1 names the group fab-admins already$/,
  ],
  [
    'a rule without a role',
    withRoles('- { group: a }'),
    AT_ROLES,
    /^rule 1 of auth\.roles needs a role: viewer, operator, engineer, admin$/,
  ],
  [
    'a role that nobody knows',
    withRoles(...ROLES, '- { group: a, role: root }'),
    AT_ROLES + 2,
    /^rule 3 of auth\.roles needs a role: .*, not "root"$/,
  ],
  [
    'labels that cannot be read',
    withRoles("- { group: a, role: viewer, labels: 'area in (' }"),
    AT_ROLES,
    /^rule 1 of auth\.roles: labels cannot be read/,
  ],
  [
    'a list of labels',
    withRoles('- { group: a, role: viewer, labels: [area] }'),
    AT_ROLES,
    /^rule 1 of auth\.roles: labels takes a selector/,
  ],
  [
    'an unknown member of a rule',
    withRoles('- { group: a, role: viewer, label: a }'),
    AT_ROLES,
    /no setting auth\.roles\.0\.label: write labels/,
  ],
]

describe.each([
  ['of the whole', FORMS],
  ['that is there twice', REPEATED],
  ['of the provider', MEMBERS],
  ['of a file', FILES],
  ['of the rules', RULES],
])('one sentence says what is wrong, and in which line: %s', (_, rows) => {
  test.each(rows)('%s', async (_, text, line, detail) => {
    const { faults } = await read(text)
    const at = line === LAST ? text.split('\n').indexOf('  roles:') : line
    expect(faults.map((fault) => [fault.line, fault.detail])).toEqual([[at, expect.stringMatching(detail)]])
  })
})

test('no fault hides another one', async () => {
  const wrong = ['issuer: http://a.example', 'client_secret_file: open', 'public_url: 17', 'scopes: []']
  const { faults } = await read(configured(wrong, ['- { group: a, role: b }', '- c']))
  expect(new Set(faults.map(({ line }) => line))).toEqual(new Set([3, 4, 5, 6, 8, 9]))
})

test('check-config says what to register at the provider', async () => {
  const config = join(folder, 'daemon.yaml')
  writeFileSync(config, configured(), { mode: 0o644 })
  const { exitCode, stderr } = await runCommand(['daemon', 'check-config', config])
  expect(exitCode).toBe(0)
  expect(stderr).toContain('https://fab2.example:7327/api/v1/auth/sso/callback\n')
  expect(stderr).toContain('https://fab2.example:7327/api/v1/auth/sso/backchannel-logout\n')
})

test('check-config says of each value of auth whether the file has it, and in which line', async () => {
  const sources = async (text: string) =>
    Object.fromEntries(
      (await read(text)).effective.list
        .filter(({ name }) => name.startsWith('auth.'))
        .map(({ name, source, line }) => [name.slice('auth.'.length), line ?? source]),
    )
  expect(await sources(configured())).toEqual({
    local: 'default',
    'oidc.issuer': 3,
    'oidc.client_id': 4,
    'oidc.client_secret_file': 5,
    'oidc.public_url': 6,
    'oidc.ca': 7,
    'oidc.name': 'default',
    'oidc.scopes': 'default',
    'oidc.groups_claim': 'default',
    'oidc.token_lifetime': 'default',
    'oidc.session_lifetime': 'default',
    roles: 9,
  })
  const given = configured([...OIDC, 'groups_claim: groups', 'token_lifetime: 10m'], ROLES, [
    'local: everybody',
  ])
  expect(await sources(given)).toMatchObject({
    local: 2,
    'oidc.groups_claim': 9,
    'oidc.token_lifetime': 10,
    'oidc.session_lifetime': 'default',
  })
})
