import { endpoints } from '../../contract/endpoints.js'
import type { ModulePerformance } from '../../contract/topics/gem300/performance.js'
import { durationWords } from '../../kit/duration-text.js'
import { type EquipmentCommand, equipmentVerb } from '../equipment/equipment-command.js'
import { TARGET_FLAGS } from '../equipment/equipment-targets.js'
import { optional } from '../input/arguments.js'
import { RANGE_FLAGS, rangeGiven } from '../input/list-flags.js'
import { LIST_OUTPUT_FLAGS } from '../input/list-output-flags.js'
import type { Column } from '../output/output.js'

const DEFAULT_SINCE = '24h'
const MODULE_ARGUMENT = optional('Only this module, such as Chamber1.')
const FLAGS = {
  ...LIST_OUTPUT_FLAGS,
  ...TARGET_FLAGS,
  ...RANGE_FLAGS,
  since: { ...RANGE_FLAGS.since, summary: `${RANGE_FLAGS.since.summary} Default: ${DEFAULT_SINCE}.` },
}

const UNKNOWN_TIME =
  'Time of which nothing is known is UNKNOWN and never counted as the state before it: the equipment was not connected or offline, the gateway did not run, or nothing was told since. Sends nothing.'

/** Of a state the share of the time, such as `12.5 %`. */
const shareText = ({ shares }: ModulePerformance, state: string): string => {
  const { share = 0 } = shares.find((one) => one.state === state) ?? {}
  return `${(share * 100).toFixed(1)} %`
}

const showColumns = (on: EquipmentCommand): readonly Column<ModulePerformance>[] => [
  { title: 'MODULE', text: ({ module }) => module },
  { title: 'STATE', text: ({ state }) => state },
  { title: 'SINCE', text: ({ since }) => on.formatTime(since), key: ({ since }) => since ?? '' },
  { title: 'TASK', text: ({ task }) => task ?? '', spare: true },
  ...(['BUSY', 'IDLE', 'BLOCKED', 'UNKNOWN'] as const).map((state) => ({
    title: state,
    text: (one: ModulePerformance) => shareText(one, state),
  })),
  { title: 'REASON', text: (one) => reasonOf(one), spare: true },
]

interface Reason {
  readonly blocked_reason: string | null
  readonly blocked_text: string | null
}

const reasonOf = ({ blocked_reason, blocked_text }: Reason): string =>
  [blocked_reason === 'NOT_BLOCKED' ? null : blocked_reason, blocked_text].filter(Boolean).join(': ')

interface Given {
  readonly equipment: string
  readonly module?: string | undefined
}

async function read(
  on: EquipmentCommand,
  { equipment, module }: Given,
  flags: { readonly since?: string | undefined; readonly until?: string | undefined },
  more: object = {},
) {
  const range = rangeGiven({ ...flags, since: flags.since ?? DEFAULT_SINCE }, on.clock.date())
  const { id, name } = await on.equipment(equipment)
  const query = { ...range, ...(module !== undefined && { module }), ...more }
  const none = `No module of ${name} is known${module === undefined ? '' : ` as ${module}`}.`
  return { shown: await on.call(endpoints.getPerformance, { params: { id }, query }), none }
}

export const performanceShow = equipmentVerb({
  summary: 'Show the state of the modules of equipment, and the share of a time in each (SEMI E116).',
  description: `The state is that at the end of the time. ${UNKNOWN_TIME}`,
  usage: 'performance show EQUIPMENT [MODULE]',
  examples: [
    'secsctl performance show etcher',
    'secsctl performance show etcher Chamber1 --since 06:00 --until 14:00',
    'secsctl performance show -l area=etch --since 8h -o csv',
  ],
  args: { module: MODULE_ARGUMENT },
  flags: FLAGS,
  async one(on, { args, flags }) {
    const { shown, none } = await read(on, args, flags)
    // With the time, and the note.
    if (on.format === 'json' || on.format === 'yaml') return on.printRecord(shown, [])
    await on.printList(shown.items, showColumns(on), none)
    if (shown.note !== null) on.note(shown.note)
  },
})

type Row = NonNullable<ModulePerformance['stretches']>[number] & { readonly module: string }

/** For programs in seconds. */
function lengthOf({ from, to }: Row, isTerminal: boolean): string {
  const ms = Date.parse(to) - Date.parse(from)
  return isTerminal ? durationWords(ms) : String(ms / 1000)
}

const historyColumns = (on: EquipmentCommand): readonly Column<Row>[] => [
  { title: 'FROM', text: ({ from }) => on.formatTime(from), key: ({ from }) => from },
  { title: 'TO', text: ({ to }) => on.formatTime(to), key: ({ to }) => to, spare: true },
  { title: 'MODULE', text: ({ module }) => module },
  { title: 'STATE', text: ({ state }) => state },
  { title: 'FOR', text: (one) => lengthOf(one, on.sink.isTerminal) },
  { title: 'TASK', text: ({ task }) => task ?? '' },
  { title: 'TASK TYPE', text: ({ task_type }) => task_type ?? '', spare: true },
  { title: 'REASON', text: reasonOf },
]

export const performanceHistory = equipmentVerb({
  summary: 'Print when the modules of equipment were in which state, and with which task (SEMI E116).',
  description: `Oldest first, without a gap. ${UNKNOWN_TIME}`,
  usage: 'performance history EQUIPMENT [MODULE]',
  examples: [
    'secsctl performance history etcher Chamber1 --since 8h',
    'secsctl performance history etcher --since 06:00 -o csv > shift.csv',
  ],
  args: { module: MODULE_ARGUMENT },
  flags: FLAGS,
  async one(on, { args, flags }) {
    const { shown, none } = await read(on, args, flags, { stretches: true })
    const rows = shown.items.flatMap(({ module, stretches = [] }) =>
      stretches.map((one): Row => ({ ...one, module })),
    )
    rows.sort((one, other) => (one.from < other.from ? -1 : one.from > other.from ? 1 : 0))
    await on.printList(rows, historyColumns(on), none)
    if (shown.note !== null) on.note(shown.note)
  },
})
