import { required, YES } from '../../src/cli/input/arguments.js'
import { SessionCommand } from '../../src/cli/session-command.js'

export default class ProfilesRemove extends SessionCommand {
  static override summary = 'Remove a profile and the token that is kept for it.'
  static override examples = ['secsctl profiles remove fab2 --yes']
  static override args = { name: required('Its name.') }
  static override flags = { yes: YES }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ProfilesRemove)
    const { session } = this
    const profiles = await session.profiles()
    const { url } = profiles.get(args.name)
    await this.confirmed(`Remove the profile "${args.name}"?`, flags.yes)
    if (url !== undefined) {
      const store = await session.store(args.name)
      await store.remove(session.account({ profile: args.name, url }))
    }
    await profiles.remove(args.name)
    this.printDone({ removed: args.name }, `removed ${args.name}`)
  }
}
