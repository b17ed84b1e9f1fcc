import { endpoints } from '../../contract/endpoints.js'
import { Problem } from '../../contract/errors.js'
import { ROLES } from '../../contract/roles.js'
import type { ApiKey } from '../../contract/topics/accounts/keys.js'
import { outputFlag, RECORD_FORMATS } from '../base-command.js'
import { RESTRICTION_FLAG, selectorGiven } from '../equipment/label-flags.js'
import { GatewayCommand } from '../gateway-command.js'
import { required, YES } from '../input/arguments.js'
import { parseExpiry } from '../input/durations.js'
import { choiceFlag, textFlag } from '../input/flags.js'
import { LIST_OUTPUT_FLAGS } from '../input/list-output-flags.js'
import { REASON_FLAG } from '../input/reason-flag.js'
import type { FormatTime } from '../output/local-time.js'
import type { Column } from '../output/output.js'
import { verb } from '../verb.js'

const ID = /^key_[0-9a-z]{10}$/

/** When a key expires, in words. */
export function expiryText({ expires_at, expired }: ApiKey, formatTime: FormatTime): string {
  if (expires_at === null) return 'never'
  return expired ? `${formatTime(expires_at)} (expired)` : formatTime(expires_at)
}

abstract class KeyCommand extends GatewayCommand {
  /** The key that a name or an id means. */
  async key(given: string): Promise<ApiKey> {
    if (ID.test(given)) return this.call(endpoints.getKey, { params: { id: given } })
    const found = (await this.allKeys()).find(({ name }) => name === given)
    if (!found) throw new Problem('key_not_found', `There is no API key "${given}".`)
    return found
  }

  async allKeys(): Promise<ApiKey[]> {
    const found: ApiKey[] = []
    for await (const key of this.recordsOf(endpoints.listKeys)) found.push(key)
    return found
  }

  get columns(): readonly Column<ApiKey>[] {
    const { formatTime } = this
    return [
      { title: 'NAME', text: ({ name }) => name },
      { title: 'ID', text: ({ id }) => id, spare: true },
      { title: 'ROLE', text: ({ role }) => role },
      { title: 'SELECTOR', text: ({ label_selector }) => label_selector ?? '', spare: true },
      {
        title: 'EXPIRES',
        text: (key) => expiryText(key, formatTime),
        key: ({ expires_at }) => expires_at ?? '~',
      },
      {
        title: 'LAST USED',
        text: ({ last_used_at }) => formatTime(last_used_at) || 'never',
        key: ({ last_used_at }) => last_used_at ?? '',
      },
    ]
  }
}

export const keysAdd = verb(KeyCommand, {
  summary: 'Create an API key for a program, and print it.',
  description:
    'The key is shown once, alone on standard output, so that a script can capture it; the gateway keeps only a hash of it. A program sends it as the bearer token; this command line takes it from SECSCTL_TOKEN or SECSCTL_TOKEN_FILE, or keeps it after login --key-stdin. Needs the role admin.',
  examples: [
    'secsctl keys add mes --role operator --expires 90d',
    'secsctl keys add etch-ci --role viewer -l area=etch --expires 2027-06-30',
    'KEY=$(secsctl keys add backup --role admin --expires never)',
  ],
  args: { name: required('Letters, digits, dots, underscores and hyphens.') },
  flags: {
    ...REASON_FLAG,
    role: choiceFlag(
      ROLES,
      'viewer reads; operator also connects, commands, acknowledges; engineer also sends and changes; admin all.',
      { required: true },
    ),
    expires: textFlag(
      'WHEN',
      'How long it is valid, such as 90d or 12h; or until when, such as 2027-06-30; or never.',
      { required: true },
    ),
    selector: RESTRICTION_FLAG,
  },
  words: { '/expires_at': '--expires', '/label_selector': '--selector' },
  async run(on, { args, flags }) {
    const expires_at = parseExpiry(flags.expires, '--expires', on.clock.date())
    const body = { name: args.name, role: flags.role, expires_at, ...selectorGiven(flags.selector) }
    const { key, ...created } = await on.call(endpoints.createKey, { body })
    if (on.format === 'json') return on.printJson({ ...created, key })
    on.printAsIs(key)
    const { name, role, label_selector } = created
    const reach = label_selector === null ? '' : ` on ${label_selector}`
    on.note(`The API key ${name} is ${role}${reach}; expires: ${expiryText(created, on.formatTime)}.`)
    on.note('It is not shown again.')
  },
})

export const keysList = verb(KeyCommand, {
  summary: 'List the API keys of programs.',
  description:
    'Shows when each key was last used, and when it expires. The keys themselves cannot be shown again. Needs the role admin.',
  examples: ['secsctl keys list', "secsctl keys list --sort 'LAST USED'"],
  flags: LIST_OUTPUT_FLAGS,
  async run(on) {
    await on.printList(await on.allKeys(), on.columns, 'No API keys.')
  },
})

export const keysShow = verb(KeyCommand, {
  summary: 'Show an API key, but not its text. Needs the role admin.',
  examples: ['secsctl keys show mes'],
  args: { key: required('Its name or id.') },
  flags: { output: outputFlag(RECORD_FORMATS) },
  async run(on, { args }) {
    const key = await on.key(args.key)
    on.printRecord(key, [
      ['id', key.id],
      ['name', key.name],
      ['role', key.role],
      ['selector', key.label_selector ?? ''],
      ['created', on.formatTime(key.created_at)],
      ['created by', key.created_by],
      ['expires', expiryText(key, on.formatTime)],
      ['last used', on.formatTime(key.last_used_at) || 'never'],
    ])
  },
})

export const keysRemove = verb(KeyCommand, {
  summary: 'Revoke an API key: it is refused at once, and its streams end.',
  examples: ['secsctl keys remove mes --yes --reason "found in a log"'],
  args: { key: required('Its name or id.') },
  flags: { ...REASON_FLAG, yes: YES },
  async run(on, { args, flags }) {
    const { id, name } = await on.key(args.key)
    await on.confirmed(`Revoke the API key ${name}?`, flags.yes)
    await on.call(endpoints.revokeKey, { params: { id } })
    on.printDone({ revoked: id }, `revoked ${name}`)
  },
})
