import { endpoints } from '../../contract/endpoints.js'
import { MAX_SHELF_SECONDS } from '../../contract/topics/alarm-shelving.js'
import { settledAtOnce } from '../equipment/calls-at-once.js'
import { equipmentVerb } from '../equipment/equipment-command.js'
import { CHANGE_FLAGS } from '../equipment/equipment-targets.js'
import { SELECTOR_FLAG, selectorGiven } from '../equipment/label-flags.js'
import { wrongUsage } from '../errors/failure.js'
import { optional } from '../input/arguments.js'
import { parseDuration } from '../input/durations.js'
import { switchFlag, textFlag } from '../input/flags.js'
import { EQUIPMENT_FLAG } from '../input/list-flags.js'
import { LIST_OUTPUT_FLAGS } from '../input/list-output-flags.js'
import { REASON_FLAG } from '../input/reason-flag.js'
import { ListCommand } from '../list-command.js'
import { verb } from '../verb.js'
import { shelvedColumns } from './alarm-output.js'

const ARGS = { alarm: optional('ALIDs, as `alarms list` prints them.') }
const WORDS = { '/alid': 'ALARM', '/ALID': 'ALARM' }

export const alarmsShelve = equipmentVerb({
  summary: 'Shelve alarms for some time: they do not ask for attention.',
  usage: 'alarms shelve EQUIPMENT ALARM...',
  description:
    'Counts leave a shelved alarm out, and it does not colour its tile. Lists show its end, the user and the reason. Nothing changes at the equipment: it still reports the alarm, and the gateway still records it and delivers it to sinks. The shelf ends by itself, also after a restart. Repeat the command to set another end. An alarm of personal safety needs --personal-safety.',
  examples: [
    "secsctl alarms shelve etch-17 4003 --for 2h --reason 'sensor is exchanged'",
    "secsctl alarms shelve -l area=etch 4001 --for 30m --reason 'gas off' --yes",
  ],
  args: ARGS,
  flags: {
    for: textFlag('DURATION', 'How long, such as 30m or 2h: 7d at most.', { required: true }),
    reason: textFlag('TEXT', 'Why, for everybody and for the audit: 200 characters at most.', {
      required: true,
    }),
    'personal-safety': switchFlag('Shelve it also if it is an alarm of personal safety.'),
    ...CHANGE_FLAGS,
  },
  words: WORDS,
  async one(on, { args, flags, words: [, ...alids] }) {
    if (alids.length === 0) throw wrongUsage('name alarms by their ALIDs')
    const for_seconds = parseDuration(flags.for, '--for') / 1000
    if (for_seconds < 1 || for_seconds > MAX_SHELF_SECONDS)
      throw wrongUsage(`--for takes 1s to ${MAX_SHELF_SECONDS / 86_400}d, not "${flags.for}"`)
    const safety = flags['personal-safety'] ? { personal_safety: true } : {}
    const body = { for_seconds, reason: flags.reason, ...safety }
    const { done, failure } = await settledAtOnce(alids, (alid) =>
      on.ask(endpoints.shelveAlarm, args.equipment, {}, { params: { alid }, body }),
    )
    if (done.length > 0)
      await on.printList(done, shelvedColumns(await on.equipmentNames(), on.formatTime), '')
    const unknown = done.filter(({ known }) => known === false).map(({ alid }) => alid)
    if (unknown.length > 0) on.note(`Not among the alarms that the equipment lists: ${unknown.join(', ')}`)
    if (failure !== undefined) throw failure
  },
})

export const alarmsUnshelve = equipmentVerb({
  summary: 'End the shelf of alarms before its time.',
  usage: 'alarms unshelve EQUIPMENT ALARM...',
  description: 'It is no error if an alarm is not shelved.',
  examples: ['secsctl alarms unshelve etch-17 4003 4004'],
  args: ARGS,
  flags: { ...REASON_FLAG, ...CHANGE_FLAGS },
  words: WORDS,
  async one(on, { args, words: [, ...alids] }) {
    if (alids.length === 0) throw wrongUsage('name alarms by their ALIDs')
    const { id, name } = await on.equipment(args.equipment)
    const { items } = await on.call(endpoints.listShelvedAlarms, { query: { equipment_id: [id] } })
    const shelved = new Set(items.map(({ alid }) => alid))
    for (const alid of alids) await on.ask(endpoints.unshelveAlarm, args.equipment, {}, { params: { alid } })
    const unshelved = alids.filter((alid) => shelved.has(alid))
    const not_shelved = alids.filter((alid) => !shelved.has(alid))
    const parts: readonly (readonly [readonly string[], string])[] = [
      [unshelved, 'not shelved any more'],
      [not_shelved, 'not shelved before'],
    ]
    const said = parts.flatMap(([some, end]) =>
      some.length > 0 ? `${some.join(', ')} of ${name}: ${end}` : [],
    )
    on.printDone({ unshelved, not_shelved }, said.join('\n'))
  },
})

export const alarmsShelved = verb(ListCommand, {
  summary: 'List the alarms that are shelved, also those that are not active.',
  description: '`alarms list --shelved` lists their open occurrences.',
  examples: ['secsctl alarms shelved', 'secsctl alarms shelved -l area=etch --json'],
  flags: { ...LIST_OUTPUT_FLAGS, equipment: EQUIPMENT_FLAG, selector: SELECTOR_FLAG },
  async run(on, { flags }) {
    const equipment_id = await on.equipmentIds(flags.equipment)
    const query = { ...selectorGiven(flags.selector), ...(equipment_id && { equipment_id }) }
    const { items } = await on.call(endpoints.listShelvedAlarms, { query })
    await on.printList(
      items,
      shelvedColumns(await on.equipmentNames(), on.formatTime),
      'No alarm is shelved.',
    )
  },
})
