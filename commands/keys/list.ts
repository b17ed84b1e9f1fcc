import { LIST_OUTPUT_FLAGS } from '../../src/cli/input/list-output-flags.js'
import { KeyCommand } from '../../src/cli/keys/key-command.js'

export default class KeysList extends KeyCommand {
  static override summary = 'List the API keys of programs.'
  static override description =
    'Shows when each key was last used, and when it expires. The keys themselves cannot be shown again. Needs the role admin.'
  static override examples = ['secsctl keys list', "secsctl keys list --sort 'LAST USED'"]
  static override flags = LIST_OUTPUT_FLAGS

  async run(): Promise<void> {
    await this.parse(KeysList)
    await this.printList(await this.allKeys(), this.columns, 'No API keys.')
  }
}
