import { EVENT_FLAGS } from '../../src/cli/events/event-flags.js'
import { eventColumns, eventSml, shownEventColumns } from '../../src/cli/events/event-output.js'
import { DEFAULT_AMOUNT, LIST_FLAGS, rangeGiven } from '../../src/cli/input/list-flags.js'
import { ListCommand } from '../../src/cli/list-command.js'
import { endpoints } from '../../src/contract/endpoints.js'

export default class EventsList extends ListCommand {
  static override summary = 'List what happened, newest first.'
  static override examples = [
    'secsctl events list --since 10m',
    'secsctl events list --equipment etcher --type alarm --type state',
  ]
  static override flags = { ...LIST_FLAGS, ...EVENT_FLAGS }

  async run(): Promise<void> {
    const { flags } = await this.parse(EventsList)
    const now = this.clock.date()
    const equipment_id = await this.equipmentIds(flags.equipment)
    const query = {
      ...rangeGiven(flags, now),
      ...(equipment_id && { equipment_id }),
      ...(flags.type && { type: flags.type }),
    }
    const client = await this.client()
    const names = this.format === 'json' ? (id: string) => id : await this.equipmentNames()
    const columns = (this.format === 'table' ? shownEventColumns : eventColumns)(names, this.formatTime)
    await this.printPages(
      { ...DEFAULT_AMOUNT, ...flags },
      (paging) => client.call(endpoints.listEvents, { query: { ...query, ...paging } }),
      (found, isFirst) => {
        if (this.format !== 'sml')
          return isFirst ? this.printList(found, columns, 'No events.') : this.printFurther(found, columns)
        for (const event of found) {
          const sml = eventSml(event, names(event.equipment_id))
          if (sml !== undefined) this.print(sml)
        }
      },
    )
  }
}
