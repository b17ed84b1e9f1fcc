import { outputFlag, RECORD_FORMATS } from '../../src/cli/base-command.js'
import { GatewayCommand } from '../../src/cli/gateway-command.js'
import { required } from '../../src/cli/input/arguments.js'
import { messageFields, messageSml } from '../../src/cli/messages/message-output.js'
import { endpoints } from '../../src/contract/endpoints.js'

export default class MessagesShow extends GatewayCommand {
  static override summary = 'Show one recorded message.'
  static override examples = ['secsctl messages show 42', 'secsctl messages show 42 -o sml']
  static override args = { id: required('Its id, as `messages list` prints it.') }
  static override flags = { output: outputFlag([...RECORD_FORMATS, 'sml']) }

  async run(): Promise<void> {
    const { args } = await this.parse(MessagesShow)
    const message = await this.call(endpoints.getMessage, { params: { id: args.id } })
    if (this.format === 'json' || this.format === 'yaml') return this.printRecord(message, [])
    if (this.format === 'sml') return this.print(messageSml(message))
    const nameOf = await this.equipmentNames()
    const fields = messageFields(message, nameOf(message.equipment_id), this.formatTime)
    const { sml } = message
    if (this.format === 'tsv') return this.printRecord(message, [...fields, ['sml', sml ?? '']])
    this.printRecord(message, fields)
    if (sml !== null) this.print(`\n${sml}`)
  }
}
