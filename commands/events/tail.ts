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

export default class EventsTail extends ListCommand {
  static override summary = 'Follow what happens, as it happens.'
  static override description =
    'Continues after the last event when the network was lost or the gateway restarted, without a gap or a repeat. With --json, one object a line.'
  static override examples = [
    'secsctl events tail',
    'secsctl events tail --since 10m --type alarm',
    'secsctl events tail --equipment etcher --collection-event ProcessingStarted',
    'secsctl events tail --selector area=etch --type alarm',
    'secsctl events tail --equipment etcher -o sml',
    'secsctl events tail --json --count 10 --idle-timeout 30s',
  ]
  static override flags = {
    ...EVENT_FLAGS,
    ...WANTED_FLAGS,
    since: Flags.string({
      helpValue: 'TIME',
      summary: 'Begin at this time: 08:00, yesterday, 2026-03-01, or 10m for ten minutes ago.',
    }),
    count: Flags.integer({ char: 'n', min: 1, helpValue: 'N', summary: 'End after so many.' }),
    'idle-timeout': Flags.string({
      helpValue: 'DURATION',
      summary: 'End with exit code 7 after so long without an event.',
    }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(EventsTail)
    const { type, count, since } = flags
    const idle = flags['idle-timeout']
    const selected = selectorGiven(flags.selector)
    requireMessages(type, flags['collection-event'])
    const client = await this.client()
    const equipment_id = await this.equipmentIds(flags.equipment)
    await checkCollectionEvent(client, flags['collection-event'], equipment_id, selected)
    const { format } = this
    const nameOf = await this.equipmentNames()
    const { width } = this.sink
    const ending = await follow(
      client,
      {
        ...selected,
        ...defined({ equipment_id, type, count }),
        ...(since !== undefined && { since: parseTime(since, '--since', this.clock.date()) }),
        ...(idle !== undefined && { idle: parseDuration(idle, '--idle-timeout') }),
        where: isWanted(flags, format),
        ...this.persistence(),
      },
      { clock: this.clock, signal: this.environment.interruption.hold() },
      (event) => void this.write(printedEvent(event, { format, width, nameOf, formatTime: this.formatTime })),
    )
    if (ending === 'idle') throw new Failure('timeout', `nothing came for ${idle}`)
  }
}
