import { EVENT_FLAGS } from '../../src/cli/event-flags.js'
import { eventColumns, eventSml, shownEventColumns } from '../../src/cli/event-output.js'
import { GatewayCommand } from '../../src/cli/gateway-command.js'
import { LIST_FLAGS, rangeGiven } from '../../src/cli/list-flags.js'
import { endpoints } from '../../src/contract/endpoints.js'

export default class EventsList extends GatewayCommand {
  static override summary = 'List what happened, newest first.'
  static override hiddenAliases = ['event:list']
  static override examples = [
    '<%= config.bin %> events list --since 10m',
    '<%= config.bin %> events list --equipment etcher --type alarm --type state',
  ]
  static override flags = { ...LIST_FLAGS, ...EVENT_FLAGS }

  async run(): Promise<void> {
    const { flags } = await this.parse(EventsList)
    const now = this.clock.date()
    const query = {
      ...rangeGiven(flags, now),
      ...(flags.equipment !== undefined && { equipment_id: (await this.equipment(flags.equipment)).id }),
      ...(flags.type && { type: flags.type }),
    }
    const client = await this.client()
    const found = await this.pages(flags.limit, (paging) =>
      client.call(endpoints.listEvents, { query: { ...query, ...paging } }),
    )
    const names = this.format === 'json' ? (id: string) => id : await this.equipmentNames()
    if (this.format === 'sml') {
      for (const event of found) {
        const sml = eventSml(event, names(event.equipment_id))
        if (sml !== undefined) this.print(sml)
      }
      return
    }
    const columns = this.format === 'table' ? shownEventColumns : eventColumns
    await this.printList(found, columns(names, this.tellTime), 'No events.')
  }
}
