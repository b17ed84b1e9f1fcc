import { Flags } from '@oclif/core'
import { selectorGiven } from '../../src/cli/equipment/label-flags.js'
import { Failure, wrongUsage } from '../../src/cli/errors/failure.js'
import { readCursorFile, writeCursorFile } from '../../src/cli/events/cursor-file.js'
import { commandFailure, runEventCommand } from '../../src/cli/events/event-command.js'
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
import { endpoints } from '../../src/contract/endpoints.js'
import type { Event } from '../../src/contract/topics/events.js'
import { defined } from '../../src/kit/defined.js'

export default class EventsTail extends ListCommand {
  static override summary = 'Follow what happens, as it happens.'
  static override description =
    'Continues after the last event when the network was lost or the gateway restarted, without a gap or a repeat. With --json, one object a line. With --exec, a command of the shell is run for each event, one at a time and in order: it reads the event as JSON from standard input, and has SECSCTL_EVENT_ID, _TYPE, _NAME, _AT, _EQUIPMENT and _EQUIPMENT_ID in its environment. If it fails, that is reported, and the next event follows.'
  static override examples = [
    'secsctl events tail',
    'secsctl events tail --since 10m --type alarm',
    'secsctl events tail --equipment etcher --collection-event ProcessingStarted',
    'secsctl events tail --selector area=etch --type alarm',
    'secsctl events tail --equipment etcher -o sml',
    'secsctl events tail --json --count 10 --idle-timeout 30s',
    'secsctl events tail --exec ./on-event.sh --cursor-file on-event.id',
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
    exec: Flags.string({
      helpValue: 'COMMAND',
      exclusive: ['output'],
      summary: 'Run this command of the shell for each event instead of printing it.',
    }),
    'stop-on-failure': Flags.boolean({
      dependsOn: ['exec'],
      summary: 'End with exit code 1 when the command fails.',
    }),
    'cursor-file': Flags.string({
      helpValue: 'FILE',
      summary: 'Keep the id of the last event in this file, and continue after it at the next start.',
    }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(EventsTail)
    const { type, count, since } = flags
    const idle = flags['idle-timeout']
    const selected = selectorGiven(flags.selector)
    if (flags.exec?.trim() === '') throw wrongUsage('--exec needs a command')
    requireMessages(type, flags['collection-event'])
    const client = await this.client()
    const equipment_id = await this.equipmentIds(flags.equipment)
    await checkCollectionEvent(client, flags['collection-event'], equipment_id, selected)
    const { format } = this
    const nameOf = await this.equipmentNames()
    const { width } = this.sink
    const file = flags['cursor-file']
    const from = since === undefined ? undefined : parseTime(since, '--since', this.clock.date())
    const after = file === undefined ? undefined : await this.#cursor(file, from)
    const signal = this.environment.interruption.hold()
    const handle = async (event: Event): Promise<void> => {
      if (flags.exec === undefined)
        this.write(printedEvent(event, { format, width, nameOf, formatTime: this.formatTime }))
      else if (!(await this.#execute(flags.exec, event, flags['stop-on-failure'], signal))) return
      if (file !== undefined) await writeCursorFile(file, event.id)
    }
    const ending = await follow(
      client,
      {
        ...selected,
        ...defined({ equipment_id, type, count, since: from, after }),
        ...(idle !== undefined && { idle: parseDuration(idle, '--idle-timeout') }),
        where: isWanted(flags, flags.exec === undefined ? format : 'json'),
        ...this.persistence(),
      },
      { clock: this.clock, signal },
      handle,
    )
    if (ending === 'idle') throw new Failure('timeout', `nothing came for ${idle}`)
  }

  /** False where the command has failed because it was interrupted: the event is to be handled again. */
  async #execute(command: string, event: Event, stops: boolean, signal: AbortSignal): Promise<boolean> {
    const fault = await runEventCommand(command, event, this.environment.variables)
    if (!fault) return true
    if (signal.aborted) return false
    const failure = commandFailure(event, fault)
    if (stops || !fault.canRun) throw failure
    this.notice(failure.message)
    return true
  }

  /** The id after which to begin. Without one, a file begins with the newest event, so that the next run misses none. */
  async #cursor(file: string, since: string | undefined): Promise<string | undefined> {
    const kept = await readCursorFile(file)
    if (kept !== undefined || since !== undefined) return kept
    const [newest] = (await this.call(endpoints.listEvents, { query: { limit: 1 } })).items
    if (newest) await writeCursorFile(file, newest.id)
    return newest?.id
  }
}
