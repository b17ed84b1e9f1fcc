import { Flags } from '@oclif/core'
import { alarmColumns } from '../../src/cli/alarms/alarm-output.js'
import { LIST_FLAGS, rangeGiven } from '../../src/cli/input/list-flags.js'
import { ListCommand } from '../../src/cli/list-command.js'
import { endpoints } from '../../src/contract/endpoints.js'

export default class AlarmsList extends ListCommand {
  static override summary = 'List alarms, newest first.'
  static override examples = [
    'secsctl alarms list --active',
    'secsctl alarms list --unacknowledged --equipment etcher',
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
    const equipment_id = await this.equipmentIds(flags.equipment)
    const query = {
      ...rangeGiven(flags, now),
      ...(equipment_id && { equipment_id }),
      ...(flags.active !== undefined && { active: flags.active }),
      ...(flags.unacknowledged && { acknowledged: false }),
    }
    const client = await this.client()
    const names = this.format === 'json' ? (id: string) => id : await this.equipmentNames()
    const columns = alarmColumns(names, this.formatTime)
    await this.printPages(
      flags,
      (paging) => client.call(endpoints.listAlarms, { query: { ...query, ...paging } }),
      (found, isFirst) =>
        isFirst ? this.printList(found, columns, 'No alarms.') : this.printFurther(found, columns),
    )
  }
}
