import { required, YES } from '../../src/cli/input/arguments.js'
import { REASON_FLAG } from '../../src/cli/input/reason-flag.js'
import { KeyCommand } from '../../src/cli/keys/key-command.js'
import { endpoints } from '../../src/contract/endpoints.js'

export default class KeysRevoke extends KeyCommand {
  static override summary = 'Revoke an API key: it is refused at once, and its streams end.'
  static override examples = ['secsctl keys revoke mes --yes --reason "found in a log"']
  static override args = { key: required('Its name or id.') }
  static override flags = { ...REASON_FLAG, yes: YES }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(KeysRevoke)
    const { id, name } = await this.key(args.key)
    await this.confirmed(`Revoke the API key ${name}?`, flags.yes)
    await this.call(endpoints.revokeKey, { params: { id } })
    this.printDone({ revoked: id }, `revoked ${name}`)
  }
}
