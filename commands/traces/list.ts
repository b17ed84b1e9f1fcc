import { EquipmentCommand } from '../../src/cli/equipment/equipment-command.js'
import { TARGET_ARGUMENTS, TARGET_FLAGS } from '../../src/cli/equipment/equipment-targets.js'
import { LIST_OUTPUT_FLAGS } from '../../src/cli/input/list-output-flags.js'
import type { Column } from '../../src/cli/output/output.js'
import { endpoints } from '../../src/contract/endpoints.js'
import type { Trace } from '../../src/contract/topics/traces.js'

export default class TracesList extends EquipmentCommand {
  static override summary = 'List the traces that were started through the gateway and that are not over.'
  static override description =
    'Those that callers of the gateway started since it runs; an equipment cannot be asked which it has.'
  static override strict = false
  static override examples = ['secsctl traces list etcher']
  static override args = { equipment: TARGET_ARGUMENTS }
  static override flags = { ...LIST_OUTPUT_FLAGS, ...TARGET_FLAGS }

  protected async one(): Promise<void> {
    const { args } = await this.parse(TracesList)
    const { items } = await this.ask(endpoints.listTraces, args.equipment)
    const columns: readonly Column<Trace>[] = [
      { title: 'TRID', text: ({ trid }) => trid },
      { title: 'VARIABLES', text: ({ variables }) => variables.map(({ id, name }) => name || id).join(' ') },
      { title: 'PERIOD', text: ({ period_seconds }) => `${period_seconds} s` },
      { title: 'SAMPLES', text: ({ received, samples }) => `${received}/${samples}` },
      {
        title: 'STARTED',
        text: ({ started_at }) => this.formatTime(started_at),
        key: ({ started_at }) => started_at,
      },
    ]
    await this.printList(items, columns, 'No traces.')
  }
}
