import { EventSwitchCommand } from '../../src/cli/events/event-switch.js'
import { endpoints } from '../../src/contract/endpoints.js'

export default class CollectionEventsEnable extends EventSwitchCommand {
  static override summary =
    'Enable collection events, named ones or all (S2F37); exit code 8 when the equipment refuses.'
  static override usage = 'collection-events enable EQUIPMENT [EVENT...]'
  static override examples = [
    'secsctl collection-events enable etcher ProcessingStarted 3011',
    'secsctl collection-events enable etcher --all',
  ]

  protected readonly endpoint = endpoints.enableCollectionEvents
}
