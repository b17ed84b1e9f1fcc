import { Flags } from '@oclif/core'
import { EVENT_FLAGS } from '../../src/cli/events/event-flags.js'
import { eventColumns, eventSml } from '../../src/cli/events/event-output.js'
import { DEFAULT_AMOUNT, LIST_FLAGS } from '../../src/cli/input/list-flags.js'
import { SML_LIST_OUTPUT_FLAGS } from '../../src/cli/input/list-output-flags.js'
import { ListCommand } from '../../src/cli/list-command.js'
import { endpoints } from '../../src/contract/endpoints.js'
import { EVENT_NAMES } from '../../src/contract/topics/events.js'
import { defined } from '../../src/kit/defined.js'

export default class EventsList extends ListCommand {
  static override summary = 'List what happened, newest first.'
  static override examples = [
    'secsctl events list --since 10m',
    'secsctl events list --equipment etcher --type alarm --type state',
    'secsctl events list -l area=etch,bay!=3',
    'secsctl events list --equipment etcher --message S6F11 --ceid 4001',
  ]
  static override flags = {
    ...LIST_FLAGS,
    ...EVENT_FLAGS,
    name: Flags.option({
      options: EVENT_NAMES,
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'NAME',
      summary: 'Only of this name, such as alarm_set. May be repeated.',
    })(),
    message: Flags.string({
      helpValue: 'SxFy',
      summary: 'Only this SECS message (S6F11), or this stream (S6).',
    }),
    ceid: Flags.string({ helpValue: 'CEID', summary: 'Only reports of this collection event.' }),
    alid: Flags.string({ helpValue: 'ALID', summary: 'Only events of this alarm.' }),
    ...SML_LIST_OUTPUT_FLAGS,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(EventsList)
    await this.printRecords(
      endpoints.listEvents,
      { ...DEFAULT_AMOUNT, ...flags },
      defined({
        type: flags.type,
        name: flags.name,
        message: flags.message?.toUpperCase(),
        ceid: flags.ceid,
        alid: flags.alid,
      }),
      {
        columns: (nameOf, formatTime) => eventColumns(nameOf, formatTime, this.sink.isTerminal),
        none: 'No events.',
        sml: (event, nameOf) => eventSml(event, nameOf(event.equipment_id)),
      },
    )
  }
}
