import { endpoints } from '../../contract/endpoints.js'
import { type Alarm, type AlarmAcknowledged, MAX_ACKNOWLEDGED } from '../../contract/topics/alarms.js'
import { EXIT_CODES } from '../../explanation/exit-codes.js'
import { defined } from '../../kit/defined.js'
import { settledAtOnce } from '../equipment/calls-at-once.js'
import { SELECTOR_FLAG, selectorGiven } from '../equipment/label-flags.js'
import { namesOf } from '../equipment/unreached.js'
import { wrongUsage } from '../errors/failure.js'
import { optional, YES } from '../input/arguments.js'
import { switchFlag, textFlag } from '../input/flags.js'
import { EQUIPMENT_FLAG, type ListGiven, RANGE_FLAGS, rangeGiven } from '../input/list-flags.js'
import { REASON_FLAG } from '../input/reason-flag.js'
import { ListCommand } from '../list-command.js'
import { verb } from '../verb.js'
import { ALARM_FLAGS, type AlarmsGiven, ageGiven, alarmsGiven, requireAlids } from './alarm-flags.js'
import { alarmColumns } from './alarm-output.js'

/** The alarms of each equipment, in groups as one call takes them: each entry in the audit then names one equipment. */
function callsFor(alarms: readonly Alarm[]): readonly (readonly Alarm[])[] {
  const groups = new Map<string, Alarm[][]>()
  for (const alarm of alarms) {
    const ofOne = groups.get(alarm.equipment_id)
    const last = ofOne?.at(-1)
    if (!ofOne) groups.set(alarm.equipment_id, [[alarm]])
    else if (last && last.length < MAX_ACKNOWLEDGED) last.push(alarm)
    else ofOne.push([alarm])
  }
  return [...groups.values()].flat()
}

/** Such as `500 alarms of 2 equipment (etch-1, etch-2)`. */
function alarmsText(alarms: readonly Alarm[]): string {
  const names = new Map(
    alarms.map(({ equipment_id, equipment_name }) => [equipment_id, equipment_name ?? equipment_id]),
  )
  const equipment = namesOf([...names.values()].sort().map((name) => ({ name })))
  return `${alarms.length} ${alarms.length === 1 ? 'alarm' : 'alarms'} of ${names.size} equipment (${equipment})`
}

/** Such as `498 acknowledged, 2 of them cleared meanwhile, 1 already acknowledged`. */
export function summaryOf(alarms: readonly Alarm[], results: readonly AlarmAcknowledged[]): string {
  const active = new Set(alarms.filter((alarm) => alarm.active).map(({ id }) => id))
  const own = results.filter(({ result }) => result === 'acknowledged')
  const cleared = own.filter(({ id, alarm }) => alarm?.active === false && active.has(id))
  const count = (wanted: string): number => results.filter(({ result }) => result === wanted).length
  const parts: readonly (readonly [number, string])[] = [
    [cleared.length, 'of them cleared meanwhile'],
    [count('already_acknowledged'), 'already acknowledged meanwhile'],
    [count('not_found'), 'not found any more'],
    [alarms.length - results.length, 'not acknowledged'],
  ]
  const others = parts.filter(([number]) => number > 0).map(([number, text]) => `${number} ${text}`)
  return [`${own.length} acknowledged`, ...others].join(', ')
}

/** Flags that select alarms. */
const NARROWING = { equipment: EQUIPMENT_FLAG, selector: SELECTOR_FLAG, ...RANGE_FLAGS, ...ALARM_FLAGS }

export const alarmsAck = verb(ListCommand, {
  summary: 'Acknowledge alarms.',
  description:
    'Acknowledges alarms by id; or, after a question, all alarms that the flags select and nobody has acknowledged. An alarm that is set after the question is not acknowledged.',
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
    comment: textFlag('TEXT', 'Stored with the alarm: its cause, or what was done.', { char: 'm' }),
    ...NARROWING,
    all: switchFlag('All alarms that nobody has acknowledged.'),
    yes: YES,
    'dry-run': switchFlag('List the selected alarms, and do nothing.'),
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
  await requireAlids(on, flags.alid)
  const equipment_id = await on.equipmentIds(flags.equipment)
  const query = {
    ...range,
    ...selectorGiven(flags.selector),
    ...alarmsGiven(flags),
    ...defined({ equipment_id }),
    acknowledged: false,
  }
  const found: Alarm[] = []
  for await (const alarm of on.recordsOf(endpoints.listAlarms, query)) found.push(alarm)
  return found
}

async function print(on: ListCommand, alarms: readonly Alarm[]): Promise<void> {
  await on.printList(alarms, alarmColumns(await on.equipmentNames(), on.formatTime), 'No alarms.')
}
