import { Flags } from '@oclif/core'
import { required } from '../../src/cli/input/arguments.js'
import { SinkCommand } from '../../src/cli/sinks/sink-command.js'
import { endpoints } from '../../src/contract/endpoints.js'
import type { Event } from '../../src/contract/topics/events.js'

export default class SinksDead extends SinkCommand {
  static override summary = 'List the dead letters of a sink: what its target rejected.'
  static override description =
    'Oldest first. EVENT and EQUIPMENT are empty for an event that retention has removed. --json has the messages.'
  static override examples = ['secsctl sinks dead mes', 'secsctl sinks dead mes --limit 100 --json']
  static override args = { sink: required('Its name or id.') }
  static override flags = {
    limit: Flags.integer({ char: 'n', min: 1, max: 100, default: 20, helpValue: 'N', summary: 'So many.' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SinksDead)
    const { id } = await this.sinkNamed(args.sink)
    const { limit } = flags
    const { items } = await this.call(endpoints.listDeadLetters, { params: { id }, query: { limit } })
    const columns = [
      { title: 'ID', text: (one: (typeof items)[number]) => one.id },
      { title: 'AT', text: (one: (typeof items)[number]) => this.formatTime(one.at) },
      {
        title: 'EVENT',
        text: ({ message }: (typeof items)[number]) => message?.type.replace('secsctl.', '') ?? '',
      },
      {
        title: 'EQUIPMENT',
        text: ({ message }: (typeof items)[number]) =>
          (message?.data as Partial<Event> | undefined)?.equipment_name ?? message?.subject ?? '',
      },
      { title: 'REASON', text: (one: (typeof items)[number]) => one.reason, wraps: true as const },
    ]
    await this.printList(items, columns, 'No dead letters.')
  }
}
