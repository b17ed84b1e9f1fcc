import { Flags } from '@oclif/core'
import { RESTRICTION_FLAG, selectorGiven } from '../../src/cli/equipment/label-flags.js'
import { required } from '../../src/cli/input/arguments.js'
import { parseExpiry } from '../../src/cli/input/durations.js'
import { REASON_FLAG } from '../../src/cli/input/reason-flag.js'
import { expiryText, KeyCommand } from '../../src/cli/keys/key-command.js'
import { endpoints } from '../../src/contract/endpoints.js'
import { ROLES } from '../../src/contract/roles.js'

export default class KeysCreate extends KeyCommand {
  static override summary = 'Create an API key for a program, and print it.'
  static override description =
    'The key is shown once, alone on standard output, so that a script can capture it; the gateway keeps only a hash of it. A program sends it as the bearer token; this command line takes it from SECSCTL_TOKEN or SECSCTL_TOKEN_FILE, or keeps it after login --key-stdin. Needs the role admin.'
  static override examples = [
    'secsctl keys create mes --role operator --expires 90d',
    'secsctl keys create etch-ci --role viewer -l area=etch --expires 2027-06-30',
    'KEY=$(secsctl keys create backup --role admin --expires never)',
  ]
  static override args = { name: required('Letters, digits, dots, underscores and hyphens.') }
  static override flags = {
    ...REASON_FLAG,
    role: Flags.option({
      options: ROLES,
      required: true,
      summary:
        'viewer reads; operator also connects, commands, acknowledges; engineer also sends and changes; admin all.',
    })(),
    expires: Flags.string({
      required: true,
      helpValue: 'WHEN',
      summary: 'How long it is valid, such as 90d or 12h; or until when, such as 2027-06-30; or never.',
    }),
    selector: RESTRICTION_FLAG,
  }

  protected override readonly words = { '/expires_at': '--expires', '/label_selector': '--selector' }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(KeysCreate)
    const expires_at = parseExpiry(flags.expires, '--expires', this.clock.date())
    const body = { name: args.name, role: flags.role, expires_at, ...selectorGiven(flags.selector) }
    const { key, ...created } = await this.call(endpoints.createKey, { body })
    if (this.format === 'json') return this.printJson({ ...created, key })
    this.printAsIs(key)
    const { name, role, label_selector } = created
    const reach = label_selector === null ? '' : ` on ${label_selector}`
    this.note(`The API key ${name} is ${role}${reach}; expires: ${expiryText(created, this.formatTime)}.`)
    this.note('It is not shown again.')
  }
}
