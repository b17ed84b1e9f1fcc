import { Flags } from '@oclif/core'
import { ALARM_FLAGS, ageGiven, alarmsGiven } from '../../src/cli/alarms/alarm-flags.js'
import { alarmColumns } from '../../src/cli/alarms/alarm-output.js'
import { DEFAULT_AMOUNT, LIST_FLAGS } from '../../src/cli/input/list-flags.js'
import { LIST_OUTPUT_FLAGS } from '../../src/cli/input/list-output-flags.js'
import { ListCommand } from '../../src/cli/list-command.js'
import { endpoints } from '../../src/contract/endpoints.js'
import type { AlarmPage } from '../../src/contract/topics/alarms.js'

export default class AlarmsList extends ListCommand {
  static override summary = 'List alarms, newest first.'
  static override examples = [
    'secsctl alarms list --active',
    'secsctl alarms list --unacknowledged --equipment etcher',
    'secsctl alarms list --text pump --alid 4000-4010 --older-than 10m',
    'secsctl alarms list --active -l area=etch --watch',
  ]
  static override flags = {
    ...LIST_OUTPUT_FLAGS,
    ...LIST_FLAGS,
    ...ALARM_FLAGS,
    unacknowledged: Flags.boolean({ summary: 'Only those that nobody has acknowledged.' }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(AlarmsList)
    const query = { ...alarmsGiven(flags), acknowledged: flags.unacknowledged ? false : undefined }
    const narrowed = { ...DEFAULT_AMOUNT, ...flags, ...ageGiven(flags, this.clock.date()) }
    await this.printRecords(endpoints.listAlarms, narrowed, query, {
      columns: alarmColumns,
      none: 'No alarms.',
      // An earlier gateway does not say it.
      remark: ({ incomplete = [] }: Partial<AlarmPage>, nameOf) =>
        incomplete.length === 0
          ? undefined
          : `Too many alarms were active at once on ${incomplete.map(nameOf).join(', ')}: of its active alarms, the oldest may be left out.`,
    })
  }
}
