import { Flags } from '@oclif/core'
import { wrongUsage } from '../../src/cli/errors/failure.js'
import { required } from '../../src/cli/input/arguments.js'
import { readAuthorities, requireTls } from '../../src/cli/profile/authorities.js'
import { CA_FILE_FLAG } from '../../src/cli/profile/ca-file-flag.js'
import { listedProfile, PROFILE_COLUMNS } from '../../src/cli/profile/profile-columns.js'
import { SessionCommand } from '../../src/cli/session-command.js'

export default class ProfilesUpdate extends SessionCommand {
  static override summary = 'Change the authorities that a profile trusts. The login is kept.'
  static override examples = [
    'secsctl profiles update fab2 --ca-file fab-ca.pem',
    'secsctl profiles update fab2 --no-ca',
  ]
  static override args = { name: required('Its name.') }
  static override flags = {
    'ca-file': CA_FILE_FLAG,
    'no-ca': Flags.boolean({
      summary: 'Trust the authorities of the system again.',
      exclusive: ['ca-file'],
    }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ProfilesUpdate)
    const file = flags['ca-file']
    if (file === undefined && !flags['no-ca']) throw wrongUsage('nothing to change: add --ca-file or --no-ca')
    const profiles = await this.session.profiles()
    const { url } = profiles.get(args.name)
    if (file !== undefined) requireTls(url)
    const ca = file === undefined ? undefined : await readAuthorities(this.environment.stdin, file)
    if (url !== undefined) await profiles.note(args.name, { ca })
    await this.printOne(listedProfile(profiles, args.name), PROFILE_COLUMNS)
  }
}
