import { Flags } from '@oclif/core'
import { required } from '../../src/cli/input/arguments.js'
import { readAuthorities, requireTls } from '../../src/cli/profile/authorities.js'
import { CA_FILE_FLAG } from '../../src/cli/profile/ca-file-flag.js'
import { listedProfile, PROFILE_COLUMNS } from '../../src/cli/profile/profile-columns.js'
import { parseUrl } from '../../src/cli/profile/server.js'
import { SessionCommand } from '../../src/cli/session-command.js'
import { defined } from '../../src/kit/defined.js'

export default class ProfilesAdd extends SessionCommand {
  static override summary = 'Give a gateway a name.'
  static override examples = [
    'secsctl profiles add fab2 --url https://fab2.example:7327',
    'secsctl profiles add fab2 --url https://fab2.example:7327 --ca-file ca.pem',
  ]
  static override args = { name: required('Letters, digits, dots and dashes.') }
  static override flags = {
    url: Flags.string({ required: true, helpValue: 'URL', summary: 'Address of the gateway.' }),
    email: Flags.string({ helpValue: 'EMAIL', summary: 'Email that logs in there by default.' }),
    'ca-file': CA_FILE_FLAG,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ProfilesAdd)
    const profiles = await this.session.profiles()
    const url = parseUrl(flags.url)
    const file = flags['ca-file']
    if (file !== undefined) requireTls(url)
    const ca = file === undefined ? undefined : await readAuthorities(this.environment.stdin, file)
    await profiles.add(args.name, defined({ url, email: flags.email, ca }))
    const added = listedProfile(profiles, args.name)
    await this.printOne(added, PROFILE_COLUMNS)
    this.note(`Next: secsctl profiles use ${args.name}, then secsctl login`)
  }
}
