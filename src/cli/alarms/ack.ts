import { endpoints } from '../../contract/endpoints.js'
import type { Page } from '../../contract/schema.js'
import type { Alarm } from '../../contract/topics/alarms.js'
import { EXIT_CODES } from '../../explanation/exit-codes.js'
import { defined } from '../../kit/defined.js'
import { settledAtOnce } from '../equipment/calls-at-once.js'
import { SELECTOR_FLAG, selectorGiven } from '../equipment/label-flags.js'
import { wrongUsage } from '../errors/failure.js'
import { optional, YES } from '../input/arguments.js'
import { switchFlag, textFlag } from '../input/flags.js'
import { EQUIPMENT_FLAG, type ListGiven, RANGE_FLAGS, rangeGiven } from '../input/list-flags.js'
import { REASON_FLAG } from '../input/reason-flag.js'
import { ListCommand } from '../list-command.js'
import { verb } from '../verb.js'
import { alarmsText, callsFor, summaryOf } from './acknowledgement.js'
import { ALARM_FLAGS, type AlarmsGiven, ageGiven, alarmsGiven } from './alarm-flags.js'
import { alarmColumns } from './alarm-output.js'

/** Flags that select alarms. */
const NARROWING = { equipment: EQUIPMENT_FLAG, selector: SELECTOR_FLAG, ...RANGE_FLAGS, ...ALARM_FLAGS }

export const alarmsAck = verb(ListCommand, {
  summary: 'Acknowledge alarms.',
  description:
    'By id, or all that are not acknowledged and that the flags select, after a question. What is acknowledged is fixed before the question: no alarm that is set later.',
  examples: [
    'secsctl alarms ack 42',
    'secsctl alarms ack 42 57 --comment "pump changed"',
    "secsctl alarms ack -l area=etch --text 'pump*' --older-than 10m",
    "secsctl alarms ack --equipment 'etch-*' --alid 4000-4010 --yes",
  ],
  args: { id: optional('Ids, as `alarms list` prints them.') },
  strict: false,
  flags: {
    ...REASON_FLAG,
    comment: textFlag('TEXT', 'Why, or what was done.', { char: 'm' }),
    ...NARROWING,
    all: switchFlag('All alarms that nobody has acknowledged.'),
    yes: YES,
    'dry-run': switchFlag('List the alarms that are meant, and do nothing.'),
  },
  async run(on, { words, flags }) {
    const ids = words
    const given: Readonly<Record<string, unknown>> = flags
    const isNarrowed = Object.keys(NARROWING).some((name) => given[name] !== undefined)
    const ways = [ids.length > 0, flags.all, isNarrowed].filter(Boolean).length
    if (ways === 0) throw wrongUsage('name alarms by id, select them with flags such as --text, or add --all')
    if (ways > 1) throw wrongUsage('ids, --all, and flags that select alarms do not go together')
    if (ids.length > 0 && flags['dry-run']) throw wrongUsage('--dry-run takes no ids')
    if (new Set(ids).size < ids.length) throw wrongUsage('an id is given twice')
    const body = defined({ comment: flags.comment })
    const client = await on.client()
    if (ids.length > 0) {
      const { done, failure } = await settledAtOnce(ids, (id) =>
        client.call(endpoints.acknowledgeAlarm, { params: { id }, body }),
      )
      if (done.length > 0) await print(on, done)
      if (failure !== undefined) throw failure
      return
    }
    const found = await selected(on, flags)
    if (found.length === 0 || flags['dry-run']) {
      await print(on, found)
      if (found.length > 0) on.note(`${alarmsText(found)}; nothing was done.`)
      return
    }
    await on.confirmed(`Acknowledge ${alarmsText(found)}?`, flags.yes)
    const { done, failure } = await settledAtOnce(callsFor(found), async (alarms) => {
      const ids = alarms.map(({ id }) => id)
      return (await client.call(endpoints.acknowledgeAlarms, { body: { ids, ...body } })).items
    })
    const results = done.flat()
    const shown = results.flatMap(({ alarm, result }) => (alarm ? [{ ...alarm, result }] : []))
    await print(on, shown)
    on.note(summaryOf(found, results))
    if (failure !== undefined) throw failure
    if (shown.length < results.length) on.environment.exitCode = EXIT_CODES.missing
  },
})

/** The alarms that are not acknowledged, as the flags select them. */
async function selected(on: ListCommand, flags: AlarmsGiven & ListGiven): Promise<readonly Alarm[]> {
  const range = rangeGiven(ageGiven(flags, on.clock.date()), on.clock.date())
  const equipment_id = await on.equipmentIds(flags.equipment)
  const query = {
    ...range,
    ...selectorGiven(flags.selector),
    ...alarmsGiven(flags),
    ...defined({ equipment_id }),
    acknowledged: false,
    limit: 1000,
  }
  const found: Alarm[] = []
  let cursor: string | null = null
  do {
    const page: Page<Alarm> = await on.call(endpoints.listAlarms, {
      query: { ...query, ...(cursor !== null && { cursor }) },
    })
    for (const alarm of page.items) found.push(alarm)
    cursor = page.next_cursor
  } while (cursor !== null)
  return found
}

async function print(on: ListCommand, alarms: readonly Alarm[]): Promise<void> {
  await on.printList(alarms, alarmColumns(await on.equipmentNames(), on.formatTime), 'No alarms.')
}
