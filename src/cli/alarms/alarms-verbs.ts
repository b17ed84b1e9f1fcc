import { endpoints } from '../../contract/endpoints.js'
import type { AlarmPage, EquipmentAlarm } from '../../contract/topics/alarms.js'
import { equipmentVerb } from '../equipment/equipment-command.js'
import { CHANGE_FLAGS, TARGET_FLAGS } from '../equipment/equipment-targets.js'
import { wrongUsage } from '../errors/failure.js'
import { optional } from '../input/arguments.js'
import { switchFlag } from '../input/flags.js'
import { DEFAULT_AMOUNT, LIST_FLAGS } from '../input/list-flags.js'
import { LIST_OUTPUT_FLAGS } from '../input/list-output-flags.js'
import { REASON_FLAG } from '../input/reason-flag.js'
import { ListCommand } from '../list-command.js'
import { ASKING_FLAGS } from '../messages/transaction-flags.js'
import { type Verdict, verdictOf, verdictWord } from '../messages/verdict.js'
import type { Column } from '../output/output.js'
import { verb } from '../verb.js'
import { ALARM_FLAGS, ageGiven, alarmsGiven, requireAlids } from './alarm-flags.js'
import { alarmColumns } from './alarm-output.js'

export const alarmsList = verb(ListCommand, {
  summary: 'List alarms, newest first.',
  description: 'With `--sort severity` the most urgent are listed, and come first.',
  examples: [
    'secsctl alarms list --active',
    'secsctl alarms list --unacknowledged --equipment etcher',
    'secsctl alarms list --active --severity personal-safety,equipment-safety',
    'secsctl alarms list --active --sort severity',
    'secsctl alarms list --text pump --alid 4000-4010 --older-than 10m',
    'secsctl alarms list --active -l area=etch --watch',
  ],
  flags: {
    ...LIST_OUTPUT_FLAGS,
    ...LIST_FLAGS,
    ...ALARM_FLAGS,
    unacknowledged: switchFlag('Only those that nobody has acknowledged.'),
  },
  async run(on, { flags }) {
    await requireAlids(on, flags.alid)
    const query = {
      ...alarmsGiven(flags),
      acknowledged: flags.unacknowledged ? false : undefined,
      // Of more than are printed, the most urgent are.
      sort: /^severity(:asc)?$/i.test(flags.sort ?? '') ? 'severity' : undefined,
    }
    const narrowed = { ...DEFAULT_AMOUNT, ...flags, ...ageGiven(flags, on.clock.date()) }
    await on.printRecords(endpoints.listAlarms, narrowed, query, {
      columns: alarmColumns,
      none: 'No alarms.',
      // An earlier gateway does not say it.
      remark: ({ incomplete = [] }: Partial<AlarmPage>, nameOf) =>
        incomplete.length === 0
          ? undefined
          : `Too many alarms were active at once on ${incomplete.map(nameOf).join(', ')}: of its active alarms, the oldest may be left out.`,
    })
  },
})

const DEFINED: readonly Column<EquipmentAlarm>[] = [
  { title: 'ALID', text: ({ alid }) => alid },
  { title: 'TEXT', text: ({ text }) => text },
  { title: 'STATE', text: ({ set }) => (set ? 'set' : 'clear') },
  { title: 'ENABLED', text: ({ enabled }) => (enabled === null ? 'unknown' : enabled ? 'yes' : 'no') },
  { title: 'CATEGORY', text: ({ category_text }) => category_text, spare: true },
]

export const alarmsDefined = equipmentVerb({
  summary: 'List the alarms that equipment can report, and which are enabled (S5F5, S5F7).',
  description: '`alarms list` shows the alarms that it has reported.',
  examples: ['secsctl alarms defined etcher', 'secsctl alarms defined etcher --json'],
  flags: { ...ASKING_FLAGS, ...TARGET_FLAGS },
  async one(on, { args, flags }) {
    const { items } = await on.ask(endpoints.listEquipmentAlarms, args.equipment, flags)
    await on.printList(items, DEFINED, 'No alarms.')
  },
})

/** S5F3 names one alarm or all: several are asked for one after the other. */
type Switched = Verdict & { readonly alid: string }

const SWITCHED: readonly Column<Switched>[] = [
  { title: 'ALID', text: ({ alid }) => alid },
  { title: 'RESULT', text: verdictWord },
  { title: 'ACKC5', text: ({ code, text }) => `${code} ${text}` },
  { title: 'MESSAGE', text: ({ message_id }) => message_id },
]

const switching = (
  word: 'enable' | 'disable',
  endpoint: typeof endpoints.enableAlarms | typeof endpoints.disableAlarms,
) =>
  equipmentVerb({
    summary: `${word === 'enable' ? 'Enable' : 'Disable'} alarms, named ones or all (S5F3); exit code 8 when the equipment refuses.`,
    usage: `alarms ${word} EQUIPMENT [ALARM...]`,
    examples: [`secsctl alarms ${word} etcher 4003`, `secsctl alarms ${word} etcher --all`],
    args: { alarm: optional('ALIDs, as `alarms defined` prints them.') },
    flags: {
      ...ASKING_FLAGS,
      ...REASON_FLAG,
      ...CHANGE_FLAGS,
      all: switchFlag('All alarms of the equipment.', { default: false }),
    },
    words: { '/alid': 'ALARM', '/ALID': 'ALARM' },
    async one(on, { args, flags, words: [, ...alids] }) {
      if (flags.all === alids.length > 0)
        throw wrongUsage(flags.all ? '--all takes no ALIDs' : 'name alarms, or add --all')
      const equipment = await on.equipment(args.equipment)
      const results: ({ readonly alid: string | null } & object)[] = []
      const switched: Switched[] = []
      for (const alid of flags.all ? [undefined] : alids) {
        const body = alid === undefined ? { all: true } : { alid }
        const result = await on.ask(endpoint, equipment, flags, { body })
        results.push({ alid: alid ?? null, ...result })
        switched.push({ ...verdictOf('ACKC5', result), alid: alid ?? 'all' })
      }
      if (on.format === 'json') on.printJson(results)
      else await on.printList(switched, SWITCHED, '')
      const refused = switched.find(({ accepted }) => !accepted)
      if (refused) on.refused(refused)
    },
  })

export const alarmsEnable = switching('enable', endpoints.enableAlarms)
export const alarmsDisable = switching('disable', endpoints.disableAlarms)
