import { Flags } from '@oclif/core'
import { Failure } from '../../src/cli/errors/failure.js'
import { EVENT_FLAGS, EVENT_NAME_FLAG } from '../../src/cli/events/event-flags.js'
import { follow } from '../../src/cli/events/event-follow.js'
import { hasSml } from '../../src/cli/events/event-output.js'
import { printedEvent } from '../../src/cli/events/event-printer.js'
import { parseDuration, parseTime } from '../../src/cli/input/durations.js'
import { interruption } from '../../src/cli/input/interruption.js'
import { ListCommand } from '../../src/cli/list-command.js'

export default class EventsTail extends ListCommand {
  static override summary = 'Follow what happens, as it happens.'
  static override description =
    'Goes on behind the last event after a loss of the network or a restart of the gateway, without a gap or a repeat. With --json, one object a line.'
  static override hiddenAliases = ['event:tail']
  static override examples = [
    '<%= config.bin %> events tail',
    '<%= config.bin %> events tail --since 10m --type alarm',
    '<%= config.bin %> events tail --equipment etcher -o sml',
    '<%= config.bin %> events tail --json --count 10 --idle-timeout 30s',
  ]
  static override flags = {
    ...EVENT_FLAGS,
    name: EVENT_NAME_FLAG,
    since: Flags.string({
      helpValue: 'TIME',
      summary: 'Begin at this time: 08:00, yesterday, 2026-03-01, or 10m for ten minutes ago.',
    }),
    count: Flags.integer({ char: 'n', min: 1, helpValue: 'N', summary: 'End after so many.' }),
    'idle-timeout': Flags.string({
      helpValue: 'DURATION',
      summary: 'End with exit code 7 when nothing has come for so long.',
    }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(EventsTail)
    const { name, type, count, since } = flags
    const idle = flags['idle-timeout']
    const client = await this.client()
    const equipment_id = await this.equipmentIds(flags.equipment)
    const { format } = this
    const nameOf = format === 'json' ? (id: string) => id : await this.equipmentNames()
    const { width } = this.sink
    const ending = await follow(
      client,
      {
        ...(equipment_id && { equipment_id }),
        ...(type && { type }),
        where: (event) => (name === undefined || event.name === name) && (format !== 'sml' || hasSml(event)),
        ...(since !== undefined && { since: parseTime(since, '--since', this.clock.date()) }),
        ...(count !== undefined && { count }),
        ...(idle !== undefined && { idle: parseDuration(idle, '--idle-timeout') }),
        renew: async () => (await this.renewedClient()).options,
        onLoss: (error, wait) => this.notice(`${error.message} Trying again in ${wait / 1000} s.`),
      },
      { clock: this.clock, signal: interruption.hold() },
      (event) =>
        void process.stdout.write(printedEvent(event, { format, width, nameOf, tellTime: this.tellTime })),
    )
    if (ending === 'idle') throw new Failure('timeout', `nothing came for ${idle}`)
  }
}
