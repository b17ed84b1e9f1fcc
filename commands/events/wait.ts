import { Flags } from '@oclif/core'
import { selectorGiven } from '../../src/cli/equipment/label-flags.js'
import { Failure } from '../../src/cli/errors/failure.js'
import {
  checkCollectionEvent,
  EVENT_FLAGS,
  isWanted,
  requireMessages,
  WANTED_FLAGS,
} from '../../src/cli/events/event-flags.js'
import { follow } from '../../src/cli/events/event-follow.js'
import { printedEvent } from '../../src/cli/events/event-printer.js'
import { parseDuration, parseTime } from '../../src/cli/input/durations.js'
import { ListCommand } from '../../src/cli/list-command.js'
import { defined } from '../../src/kit/defined.js'

export default class EventsWait extends ListCommand {
  static override summary = 'Wait for one event, and print it.'
  static override examples = [
    'secsctl events wait --type alarm --equipment etcher',
    'secsctl events wait --equipment etcher --collection-event Started',
    'secsctl events wait --name selected --since 1m --timeout 1m --json',
  ]
  static override flags = {
    ...EVENT_FLAGS,
    ...WANTED_FLAGS,
    since: Flags.string({
      helpValue: 'TIME',
      summary: 'Accept an event since this time, too: 08:00, or 10m for ten minutes ago.',
    }),
    timeout: Flags.string({ default: '30s', helpValue: 'DURATION', summary: 'How long to wait.' }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(EventsWait)
    const { type, since, timeout } = flags
    const selected = selectorGiven(flags.selector)
    requireMessages(type, flags['collection-event'])
    const client = await this.client()
    const equipment_id = await this.equipmentIds(flags.equipment)
    await checkCollectionEvent(client, flags['collection-event'], equipment_id, selected)
    const { format } = this
    const nameOf = await this.equipmentNames()
    const { width } = this.sink
    const ending = await this.during('waiting for an event', (progress) =>
      follow(
        client,
        {
          ...selected,
          ...defined({ equipment_id, type }),
          ...(since !== undefined && { since: parseTime(since, '--since', this.clock.date()) }),
          where: isWanted(flags, format),
          count: 1,
          idle: parseDuration(timeout, '--timeout'),
        },
        { clock: this.clock, signal: this.environment.interruption.hold() },
        (event) => {
          progress.stop()
          this.write(printedEvent(event, { format, width, nameOf, formatTime: this.formatTime }))
        },
      ),
    )
    if (ending === 'idle')
      throw new Failure('timeout', `no such event came in ${timeout}`, 'secsctl events list')
  }
}
