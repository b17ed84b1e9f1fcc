import { Flags } from '@oclif/core'
import { alarmColumns } from '../../src/cli/alarm-output.js'
import { GatewayCommand } from '../../src/cli/gateway-command.js'
import { LIST_FLAGS, rangeGiven } from '../../src/cli/list-flags.js'
import { endpoints } from '../../src/contract/endpoints.js'

export default class AlarmsList extends GatewayCommand {
  static override summary = 'List alarms, newest first.'
  static override hiddenAliases = ['alarm:list']
  static override examples = [
    '<%= config.bin %> alarms list --active',
    '<%= config.bin %> alarms list --unacknowledged --equipment etcher',
  ]
  static override flags = {
    ...LIST_FLAGS,
    limit: Flags.integer({
      char: 'n',
      min: 1,
      helpValue: 'N',
      summary:
        'At most so many, the newest. Left out, all that are active or not acknowledged, and 100 others.',
    }),
    active: Flags.boolean({
      allowNo: true,
      summary: 'Only those that are set now; --no-active, those that are not.',
    }),
    unacknowledged: Flags.boolean({ summary: 'Only those that nobody has acknowledged.' }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(AlarmsList)
    const now = this.clock.date()
    const query = {
      ...rangeGiven(flags, now),
      ...(flags.equipment !== undefined && { equipment_id: (await this.equipment(flags.equipment)).id }),
      ...(flags.active !== undefined && { active: flags.active }),
      ...(flags.unacknowledged && { acknowledged: false }),
    }
    const client = await this.client()
    const read = (paging: object) => client.call(endpoints.listAlarms, { query: { ...query, ...paging } })
    const found = flags.limit === undefined ? (await read({})).items : await this.pages(flags.limit, read)
    const names = this.format === 'json' ? (id: string) => id : await this.equipmentNames()
    await this.printList(found, alarmColumns(names, this.tellTime), 'No alarms.')
  }
}
