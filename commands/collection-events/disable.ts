import { EventSwitchCommand } from '../../src/cli/events/event-switch.js'
import { endpoints } from '../../src/contract/endpoints.js'

export default class CollectionEventsDisable extends EventSwitchCommand {
  static override summary =
    'Disable collection events, named ones or all (S2F37); exit code 8 when the equipment refuses.'
  static override usage = 'collection-events disable EQUIPMENT [EVENT...]'
  static override examples = [
    'secsctl collection-events disable etcher ProcessingStarted 3011',
    'secsctl collection-events disable etcher --all',
  ]

  protected readonly endpoint = endpoints.disableCollectionEvents
}
