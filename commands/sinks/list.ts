import { LIST_OUTPUT_FLAGS } from '../../src/cli/input/list-output-flags.js'
import { SinkCommand } from '../../src/cli/sinks/sink-command.js'

export default class SinksList extends SinkCommand {
  static override summary = 'List the sinks, and how much each still has to deliver.'
  static override description =
    'LAG counts the entries of the journal that the sink has not finished, DELAY is the age of the oldest of them.'
  static override examples = ['secsctl sinks list', 'secsctl sinks list --json']
  static override flags = LIST_OUTPUT_FLAGS

  async run(): Promise<void> {
    await this.parse(SinksList)
    await this.printList(await this.allSinks(), this.columns, 'No sinks yet: secsctl sinks add')
  }
}
