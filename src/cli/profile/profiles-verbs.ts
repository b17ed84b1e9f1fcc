import { defined } from '../../kit/defined.js'
import { outputFlag, RECORD_FORMATS } from '../base-command.js'
import { wrongUsage } from '../errors/failure.js'
import { optional, required, YES } from '../input/arguments.js'
import { switchFlag, textFlag } from '../input/flags.js'
import { LIST_OUTPUT_FLAGS } from '../input/list-output-flags.js'
import type { Column } from '../output/output.js'
import { SessionCommand } from '../session-command.js'
import { verb } from '../verb.js'
import { type Authority, authoritiesOf, authorityText, readAuthorities, requireTls } from './authorities.js'
import { LOCAL, type Profiles } from './profiles.js'
import { parseUrl } from './server.js'

interface ListedProfile {
  readonly name: string
  /** Null for the daemon on this machine: its address file has it. */
  readonly url: string | null
  readonly email: string | null
  readonly keychain: string | null
  /** Who may issue the certificate of the gateway; null: the authorities of the system. */
  readonly ca: readonly Authority[] | null
  readonly current: boolean
}

function listedProfile(profiles: Profiles, name: string): ListedProfile {
  const { url, email, keychain, ca } = profiles.get(name)
  const current = name === (profiles.current ?? LOCAL)
  return {
    name,
    url: url ?? null,
    email: email ?? null,
    keychain: keychain ?? null,
    ca: ca === undefined ? null : authoritiesOf(ca),
    current,
  }
}

const PROFILE_COLUMNS: readonly Column<ListedProfile>[] = [
  { title: '', text: ({ current }) => (current ? '*' : '') },
  { title: 'NAME', text: ({ name }) => name },
  { title: 'URL', text: ({ url }) => url ?? '(the daemon on this machine)' },
  { title: 'EMAIL', text: ({ email }) => email ?? '' },
  { title: 'TOKEN IN', text: ({ keychain }) => keychain ?? '' },
]

/** The certificates that a profile keeps. */
const CA_FILE_FLAG = textFlag(
  'FILE',
  'Trust only certificates that these authorities (PEM) have issued; the profile keeps a copy of the file.',
)

export const profilesAdd = verb(SessionCommand, {
  summary: 'Give a gateway a name.',
  examples: [
    'secsctl profiles add fab2 --url https://fab2.example:7327',
    'secsctl profiles add fab2 --url https://fab2.example:7327 --ca-file ca.pem',
  ],
  args: { name: required('Letters, digits, dots and dashes.') },
  flags: {
    url: textFlag('URL', 'Address of the gateway.', { required: true }),
    email: textFlag('EMAIL', 'Email that logs in there by default.'),
    'ca-file': CA_FILE_FLAG,
  },
  async run(on, { args, flags }) {
    const profiles = await on.session.profiles()
    const url = parseUrl(flags.url)
    const file = flags['ca-file']
    if (file !== undefined) requireTls(url)
    const ca = file === undefined ? undefined : await readAuthorities(on.environment.stdin, file)
    await profiles.add(args.name, defined({ url, email: flags.email, ca }))
    const added = listedProfile(profiles, args.name)
    await on.printOne(added, PROFILE_COLUMNS)
    on.note(`Next: secsctl profiles use ${args.name}, then secsctl login`)
  },
})

export const profilesList = verb(SessionCommand, {
  summary: 'List the gateways that have a name here.',
  examples: ['secsctl profiles list', 'secsctl profiles list --json'],
  flags: LIST_OUTPUT_FLAGS,
  async run(on) {
    const profiles = await on.session.profiles()
    const rows = profiles.names().map((name) => listedProfile(profiles, name))
    await on.printList(rows, PROFILE_COLUMNS, 'no profiles')
  },
})

export const profilesShow = verb(SessionCommand, {
  summary: 'Show a profile, the current one unless named.',
  examples: ['secsctl profiles show', 'secsctl profiles show local --json'],
  args: { name: optional('Its name.') },
  flags: { output: outputFlag(RECORD_FORMATS) },
  async run(on, { args }) {
    const profiles = await on.session.profiles()
    const shown = listedProfile(profiles, args.name ?? profiles.current ?? LOCAL)
    on.printRecord(shown, [
      ['name', shown.name],
      ['url', shown.url ?? '(the daemon on this machine)'],
      ['email', shown.email ?? ''],
      ['token in', shown.keychain ?? ''],
      ['authorities', (shown.ca ?? []).map((one) => authorityText(one, on.formatTime)).join('\n')],
      ['current', shown.current ? 'yes' : 'no'],
    ])
  },
})

export const profilesUpdate = verb(SessionCommand, {
  summary: 'Change the authorities that a profile trusts. The login is kept.',
  examples: ['secsctl profiles update fab2 --ca-file fab-ca.pem', 'secsctl profiles update fab2 --no-ca'],
  args: { name: required('Its name.') },
  flags: {
    'ca-file': CA_FILE_FLAG,
    'no-ca': switchFlag('Trust the authorities of the system again.', { exclusive: ['ca-file'] }),
  },
  async run(on, { args, flags }) {
    const file = flags['ca-file']
    if (file === undefined && !flags['no-ca']) throw wrongUsage('nothing to change: add --ca-file or --no-ca')
    const profiles = await on.session.profiles()
    const { url } = profiles.get(args.name)
    if (file !== undefined) requireTls(url)
    const ca = file === undefined ? undefined : await readAuthorities(on.environment.stdin, file)
    if (url !== undefined) await profiles.note(args.name, { ca })
    await on.printOne(listedProfile(profiles, args.name), PROFILE_COLUMNS)
  },
})

export const profilesUse = verb(SessionCommand, {
  summary: 'Make a profile the one that commands use.',
  examples: ['secsctl profiles use local', 'secsctl profiles use -'],
  args: { name: required('Its name; - is the one before.') },
  async run(on, { args }) {
    const profiles = await on.session.profiles()
    const used = listedProfile(profiles, await profiles.use(args.name))
    await on.printOne(used, PROFILE_COLUMNS)
  },
})

export const profilesRemove = verb(SessionCommand, {
  summary: 'Remove a profile and the token that is kept for it.',
  examples: ['secsctl profiles remove fab2 --yes'],
  args: { name: required('Its name.') },
  flags: { yes: YES },
  async run(on, { args, flags }) {
    const { session } = on
    const profiles = await session.profiles()
    const { url } = profiles.get(args.name)
    await on.confirmed(`Remove the profile "${args.name}"?`, flags.yes)
    if (url !== undefined) {
      const store = await session.store(args.name)
      await store.remove(session.account({ profile: args.name, url }))
    }
    await profiles.remove(args.name)
    on.printDone({ removed: args.name }, `removed ${args.name}`)
  },
})
