import { endpoints } from '../../contract/endpoints.js'
import type { RecordedValue, VariableHistory } from '../../contract/topics/variables.js'
import { type EquipmentCommand, equipmentVerb } from '../equipment/equipment-command.js'
import { TARGET_FLAGS } from '../equipment/equipment-targets.js'
import { optional } from '../input/arguments.js'
import { switchFlag } from '../input/flags.js'
import { RANGE_FLAGS, rangeGiven } from '../input/list-flags.js'
import { LIST_OUTPUT_FLAGS } from '../input/list-output-flags.js'
import { isPlainTerminal } from '../output/chart.js'
import { localTime } from '../output/local-time.js'
import type { Column } from '../output/output.js'
import { historyCharts, timeOf } from './history-plot.js'

/** Values in one response of the gateway. */
const PAGE = 1000
const DEFAULT_SINCE = '1h'
/** Lines of a chart. */
const HEIGHT = 6

const NONE = 'No values in this time.'

export const variablesHistory = equipmentVerb({
  summary: 'Print or plot values of variables that the equipment has sent before.',
  description:
    'Reads recorded event reports, samples of traces and replies to S1F3, oldest first, and sends nothing. Each value belongs to the variable that the report had when the message came. Prints a chart of each variable on a terminal, otherwise CSV.',
  usage: 'variables history EQUIPMENT [VARIABLE...]',
  examples: [
    'secsctl variables history etcher ChamberPressure --since 2h',
    'secsctl variables history etcher ChamberPressure RFPower -o csv > shift.csv',
    "secsctl variables history 'etch-*' RFPower --since 08:00 -o table",
  ],
  args: {
    variable: optional("Ids, names, or patterns such as 'Chamber*'; all when left out."),
  },
  flags: {
    ...LIST_OUTPUT_FLAGS,
    ...TARGET_FLAGS,
    ...RANGE_FLAGS,
    since: { ...RANGE_FLAGS.since, summary: `${RANGE_FLAGS.since.summary} Default: ${DEFAULT_SINCE}.` },
    plot: switchFlag('Charts also in a pipe.', { exclusive: ['output', 'json'] }),
  },
  words: { '/id': 'VARIABLE' },
  // In a pipe a history is a table for other programs.
  pipeFormat: 'csv' as const,
  async one(on, { args, words, flags }) {
    const range = rangeGiven({ ...flags, since: flags.since ?? DEFAULT_SINCE }, on.clock.date())
    const { id } = await on.equipment(args.equipment)
    const client = await on.client()
    const given = words.slice(1)
    const query = { ...range, ...(given.length > 0 && { id: given }), order: 'asc', limit: PAGE } as const
    const { stdout } = on.environment
    const isPlot = flags.plot || (stdout.isTTY === true && !isChosen(on) && !flags.columns && !flags.sort)
    const isWhole = isPlot || on.format === 'json' || on.isWhole
    const whole: RecordedValue[] = []
    let unread = 0
    let isFirst = true
    let cursor: string | null = null
    do {
      const page: VariableHistory = await client.call(endpoints.listVariableHistory, {
        params: { id },
        query: { ...query, ...(cursor !== null && { cursor }) },
      })
      cursor = page.next_cursor
      unread += page.unread
      if (isWhole) for (const value of page.items) whole.push(value)
      else if (page.items.length > 0) {
        await on.printList(page.items, columns(on), '', isFirst)
        isFirst = false
      }
    } while (cursor !== null)
    if (!isWhole && isFirst) await on.printList([], columns(on), NONE)
    if (isPlot && whole.length === 0) on.note(NONE)
    else if (isPlot) plot(on, whole)
    else if (isWhole) await on.printList(whole, columns(on), NONE)
    if (unread > 0) on.note(unreadNote(unread))
  },
})

function isChosen(on: EquipmentCommand): boolean {
  const { output, json } = on.globals
  return json || output !== undefined || Boolean(on.environment.variables['SECSCTL_OUTPUT'])
}

function columns(on: EquipmentCommand): readonly Column<RecordedValue>[] {
  return [
    { title: 'AT', text: (value) => on.formatTime(timeOf(value)), key: timeOf },
    { title: 'ID', text: ({ id }) => id ?? '', spare: true },
    { title: 'NAME', text: ({ name }) => name ?? '' },
    { title: 'VALUE', text: ({ text }) => text },
    { title: 'UNIT', text: ({ unit }) => unit ?? '' },
    { title: 'FROM', text: ({ source, event }) => event ?? source },
    { title: 'MESSAGE', text: ({ message_id }) => message_id, spare: true },
  ]
}

function plot(on: EquipmentCommand, values: readonly RecordedValue[]): void {
  const isPlain = isPlainTerminal(on.environment.variables)
  const width = Math.max(20, (on.environment.stdout.columns || 80) - 1)
  const now = on.clock.date()
  const charts = historyCharts(values, { width, height: HEIGHT, isPlain }, (iso) => localTime(iso, now))
  on.print(charts.join('\n'))
}

const unreadNote = (count: number): string =>
  count === 1
    ? 'One message has values whose variables are not known, and is left out.'
    : `${count} messages have values whose variables are not known, and are left out.`
