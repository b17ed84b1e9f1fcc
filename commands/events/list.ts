import { EVENT_FLAGS } from '../../src/cli/events/event-flags.js'
import { eventColumns, eventSml } from '../../src/cli/events/event-output.js'
import { DEFAULT_AMOUNT, LIST_FLAGS } from '../../src/cli/input/list-flags.js'
import { SML_LIST_OUTPUT_FLAGS } from '../../src/cli/input/list-output-flags.js'
import { ListCommand } from '../../src/cli/list-command.js'
import { endpoints } from '../../src/contract/endpoints.js'

export default class EventsList extends ListCommand {
  static override summary = 'List what happened, newest first.'
  static override examples = [
    'secsctl events list --since 10m',
    'secsctl events list --equipment etcher --type alarm --type state',
    'secsctl events list -l area=etch,bay!=3',
  ]
  static override flags = { ...LIST_FLAGS, ...EVENT_FLAGS, ...SML_LIST_OUTPUT_FLAGS }

  async run(): Promise<void> {
    const { flags } = await this.parse(EventsList)
    await this.printRecords(
      endpoints.listEvents,
      { ...DEFAULT_AMOUNT, ...flags },
      { type: flags.type },
      {
        columns: (nameOf, formatTime) => eventColumns(nameOf, formatTime, this.sink.isTerminal),
        none: 'No events.',
        sml: (event, nameOf) => eventSml(event, nameOf(event.equipment_id)),
      },
    )
  }
}
