import { Flags } from '@oclif/core'
import { required } from '../../src/cli/input/arguments.js'
import { listedProfile, PROFILE_COLUMNS } from '../../src/cli/profile/profile-columns.js'
import { parseUrl } from '../../src/cli/profile/server.js'
import { SessionCommand } from '../../src/cli/session-command.js'
import { defined } from '../../src/kit/defined.js'

export default class ProfilesAdd extends SessionCommand {
  static override summary = 'Give a gateway a name.'
  static override examples = ['secsctl profiles add fab2 --url https://gateway.fab2.example:7327']
  static override args = { name: required('Letters, digits, dots and dashes.') }
  static override flags = {
    url: Flags.string({ required: true, helpValue: 'URL', summary: 'Address of the gateway.' }),
    email: Flags.string({ helpValue: 'EMAIL', summary: 'Email that logs in there by default.' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ProfilesAdd)
    const profiles = await this.session.profiles()
    await profiles.add(args.name, defined({ url: parseUrl(flags.url), email: flags.email }))
    const added = listedProfile(profiles, args.name)
    await this.printOne(added, PROFILE_COLUMNS)
    this.note(`Next: secsctl profiles use ${args.name}, then secsctl login`)
  }
}
