import { EquipmentCommand } from '../../src/cli/equipment/equipment-command.js'
import { TARGET_ARGUMENT, TARGET_FLAGS } from '../../src/cli/equipment/equipment-targets.js'
import { required } from '../../src/cli/input/arguments.js'
import { ASKING_FLAGS } from '../../src/cli/messages/transaction-flags.js'
import type { Column } from '../../src/cli/output/output.js'
import { VALUE_COLUMNS } from '../../src/cli/output/value-output.js'
import { endpoints } from '../../src/contract/endpoints.js'
import type { NamedValue } from '../../src/contract/values.js'

const COLUMNS: readonly Column<NamedValue & { readonly rptid: string }>[] = [
  { title: 'REPORT', text: ({ rptid }) => rptid },
  ...VALUE_COLUMNS,
]

export default class CollectionEventsReport extends EquipmentCommand {
  static override summary = 'Ask for what a collection event would report now (S6F15).'
  static override description =
    'Values have ids and names where the definition of their report passed this gateway (S2F33).'
  static override examples = [
    'secsctl collection-events report etcher ProcessingStarted',
    'secsctl collection-events report etcher 3011 --json',
  ]
  static override usage = 'collection-events report EQUIPMENT EVENT [--timeout DURATION]'
  static override args = { equipment: TARGET_ARGUMENT, event: required('Its id or name.') }
  static override flags = { ...ASKING_FLAGS, ...TARGET_FLAGS }

  protected override readonly words = { '/ceid': 'EVENT', '/CEID': 'EVENT' }

  protected async one(): Promise<void> {
    const { args, flags } = await this.parse(CollectionEventsReport)
    const report = await this.ask(endpoints.requestEventReport, args.equipment, flags, {
      params: { ceid: args.event },
    })
    if (this.format === 'json') return this.printJson(report)
    const rows = report.reports.flatMap(({ rptid, values }) => values.map((value) => ({ rptid, ...value })))
    const ids = report.reports.map(({ rptid }) => rptid).join(', ')
    const why = ids === '' ? 'has no report' : `sends no value in its reports (${ids})`
    await this.printList(rows, COLUMNS, `No values: event ${report.ceid} ${why}.`)
  }
}
