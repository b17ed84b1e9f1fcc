import { Flags } from '@oclif/core'
import { alarmColumns } from '../../src/cli/alarms/alarm-output.js'
import { LIST_FLAGS } from '../../src/cli/input/list-flags.js'
import { LIST_OUTPUT_FLAGS } from '../../src/cli/input/list-output-flags.js'
import { ListCommand } from '../../src/cli/list-command.js'
import { endpoints } from '../../src/contract/endpoints.js'

export default class AlarmsList extends ListCommand {
  static override summary = 'List alarms, newest first.'
  static override examples = [
    'secsctl alarms list --active',
    'secsctl alarms list --unacknowledged --equipment etcher',
    'secsctl alarms list --active -l area=etch --watch',
  ]
  static override flags = {
    ...LIST_OUTPUT_FLAGS,
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
    const query = { active: flags.active, acknowledged: flags.unacknowledged ? false : undefined }
    await this.printRecords(endpoints.listAlarms, flags, query, { columns: alarmColumns, none: 'No alarms.' })
  }
}
