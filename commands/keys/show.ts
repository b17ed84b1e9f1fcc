import { outputFlag, RECORD_FORMATS } from '../../src/cli/base-command.js'
import { required } from '../../src/cli/input/arguments.js'
import { expiryText, KeyCommand } from '../../src/cli/keys/key-command.js'

export default class KeysShow extends KeyCommand {
  static override summary = 'Show an API key, but not its text. Needs the role admin.'
  static override examples = ['secsctl keys show mes']
  static override args = { key: required('Its name or id.') }
  static override flags = { output: outputFlag(RECORD_FORMATS) }

  async run(): Promise<void> {
    const { args } = await this.parse(KeysShow)
    const key = await this.key(args.key)
    this.printRecord(key, [
      ['id', key.id],
      ['name', key.name],
      ['role', key.role],
      ['selector', key.label_selector ?? ''],
      ['created', this.formatTime(key.created_at)],
      ['created by', key.created_by],
      ['expires', expiryText(key, this.formatTime)],
      ['last used', this.formatTime(key.last_used_at) || 'never'],
    ])
  }
}
