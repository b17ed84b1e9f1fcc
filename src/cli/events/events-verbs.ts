import { endpoints } from '../../contract/endpoints.js'
import { EVENT_NAMES } from '../../contract/topics/events.js'
import { defined } from '../../kit/defined.js'
import { requireAlids } from '../alarms/alarm-flags.js'
import { selectorGiven } from '../equipment/label-flags.js'
import { shownName } from '../equipment/shown-name.js'
import { Failure, wrongUsage } from '../errors/failure.js'
import { parseDuration, parseTime } from '../input/durations.js'
import { choicesFlag, textFlag } from '../input/flags.js'
import { DEFAULT_AMOUNT, LIST_FLAGS } from '../input/list-flags.js'
import { SML_LIST_OUTPUT_FLAGS } from '../input/list-output-flags.js'
import { ListCommand } from '../list-command.js'
import { verb } from '../verb.js'
import { checkCollectionEvent, EVENT_FLAGS, isWanted, messageGiven, WANTED_FLAGS } from './event-flags.js'
import { follow } from './event-follow.js'
import { eventColumns, eventSml } from './event-output.js'
import { printedEvent } from './event-printer.js'

export const eventsList = verb(ListCommand, {
  summary: 'List what happened, newest first.',
  examples: [
    'secsctl events list --since 10m',
    'secsctl events list --equipment etcher --type alarm --type state',
    'secsctl events list -l area=etch,bay!=3',
    'secsctl events list --equipment etcher --message S6F11 --ceid 4001',
  ],
  flags: {
    ...LIST_FLAGS,
    ...EVENT_FLAGS,
    name: choicesFlag(EVENT_NAMES, 'Only of this name, such as alarm_set. May be repeated.', {
      helpValue: 'NAME',
    }),
    message: textFlag('SxFy', 'Only this SECS message (S6F11), or this stream (S6).'),
    ceid: textFlag('CEID', 'Only reports of this collection event.'),
    alid: textFlag('ALID', 'Only events of this alarm.'),
    ...SML_LIST_OUTPUT_FLAGS,
  },
  async run(on, { flags }) {
    if (/^\d+-\d+$/.test(flags.alid ?? '')) throw wrongUsage('--alid takes one ALID here, not a range')
    await requireAlids(on, flags.alid === undefined ? undefined : [flags.alid])
    await on.printRecords(
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
        columns: (nameOf, formatTime) => eventColumns(nameOf, formatTime, on.sink.isTerminal),
        none: 'No events.',
        sml: (event, nameOf) => eventSml(event, shownName(nameOf, event)),
      },
    )
  },
})

export const eventsWait = verb(ListCommand, {
  summary: 'Wait for one event, and print it.',
  examples: [
    'secsctl events wait --type alarm --equipment etcher',
    'secsctl events wait --equipment etcher --collection-event Started',
    'secsctl events wait --name selected --since 1m --timeout 1m --json',
  ],
  flags: {
    ...EVENT_FLAGS,
    ...WANTED_FLAGS,
    since: textFlag('TIME', 'Accept an event since this time, too: 08:00, or 10m for ten minutes ago.'),
    timeout: textFlag('DURATION', 'How long to wait.', { default: '30s' }),
  },
  async run(on, { flags }) {
    const { type, since, timeout } = flags
    const selected = selectorGiven(flags.selector)
    const message = messageGiven(flags)
    const client = await on.client()
    const equipment_id = await on.equipmentIds(flags.equipment)
    await checkCollectionEvent(client, flags['collection-event'], equipment_id, selected)
    const { format } = on
    const nameOf = await on.equipmentNames()
    const { width } = on.sink
    const ending = await on.during('waiting for an event', (progress) =>
      follow(
        client,
        {
          ...selected,
          ...message,
          ...defined({ equipment_id, type }),
          ...(since !== undefined && { since: parseTime(since, '--since', on.clock.date()) }),
          where: isWanted(flags, format),
          count: 1,
          idle: parseDuration(timeout, '--timeout'),
        },
        { clock: on.clock, signal: on.environment.interruption.hold() },
        (event) => {
          progress.stop()
          on.write(printedEvent(event, { format, width, nameOf, formatTime: on.formatTime }))
        },
      ),
    )
    if (ending === 'idle')
      throw new Failure('timeout', `no such event came in ${timeout}`, 'secsctl events list')
  },
})
