import { Flags } from '@oclif/core'
import { EquipmentCommand } from '../../src/cli/equipment/equipment-command.js'
import { TARGET_ARGUMENT, TARGET_FLAGS } from '../../src/cli/equipment/equipment-targets.js'
import { historyCharts, timeOf } from '../../src/cli/history/history-plot.js'
import { optional } from '../../src/cli/input/arguments.js'
import { RANGE_FLAGS, rangeGiven } from '../../src/cli/input/list-flags.js'
import { LIST_OUTPUT_FLAGS } from '../../src/cli/input/list-output-flags.js'
import { isPlainTerminal } from '../../src/cli/output/chart.js'
import { localTime } from '../../src/cli/output/local-time.js'
import type { Column, Format } from '../../src/cli/output/output.js'
import { endpoints } from '../../src/contract/endpoints.js'
import type { RecordedValue, VariableHistory } from '../../src/contract/topics/variables.js'

/** Values in one answer of the gateway. */
const PAGE = 1000
const DEFAULT_SINCE = '1h'
/** Lines of a chart. */
const HEIGHT = 6

const NONE = 'No values in this time.'

export default class VariablesHistory extends EquipmentCommand {
  static override summary = 'Print or plot values of variables that the equipment has sent before.'
  static override description =
    'From event reports, samples of traces and replies to S1F3 that the gateway has recorded, oldest first; nothing is sent. Each value belongs to the variable that the report had when the message came. On a terminal a chart of each variable, otherwise CSV.'
  static override strict = false
  static override usage = 'variables history EQUIPMENT [VARIABLE...]'
  static override examples = [
    'secsctl variables history etcher ChamberPressure --since 2h',
    'secsctl variables history etcher ChamberPressure RFPower -o csv > shift.csv',
    "secsctl variables history 'etch-*' RFPower --since 08:00 -o table",
  ]
  static override args = {
    equipment: TARGET_ARGUMENT,
    variable: optional("Ids, names, or patterns such as 'Chamber*'; all when left out."),
  }
  static override flags = {
    ...LIST_OUTPUT_FLAGS,
    ...TARGET_FLAGS,
    ...RANGE_FLAGS,
    since: { ...RANGE_FLAGS.since, summary: `${RANGE_FLAGS.since.summary} Default: ${DEFAULT_SINCE}.` },
    plot: Flags.boolean({ exclusive: ['output', 'json'], summary: 'Charts also in a pipe.' }),
  }

  protected override readonly words = { '/id': 'VARIABLE' }

  /** In a pipe a history is a table for other programs. */
  protected override get format(): Format {
    return super.format === 'tsv' && !this.#isChosen ? 'csv' : super.format
  }

  protected async one(): Promise<void> {
    const { args, argv, flags } = await this.parse(VariablesHistory)
    const range = rangeGiven({ ...flags, since: flags.since ?? DEFAULT_SINCE }, this.clock.date())
    const { id } = await this.equipment(args.equipment)
    const client = await this.client()
    const given = argv.slice(1).map(String)
    const query = { ...range, ...(given.length > 0 && { id: given }), order: 'asc', limit: PAGE } as const
    const { stdout } = this.environment
    const isPlot = flags.plot || (stdout.isTTY === true && !this.#isChosen && !flags.columns && !flags.sort)
    const isWhole = isPlot || this.format === 'json' || this.isWhole
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
        await this.printList(page.items, this.#columns(), '', isFirst)
        isFirst = false
      }
    } while (cursor !== null)
    if (!isWhole && isFirst) await this.printList([], this.#columns(), NONE)
    if (isPlot && whole.length === 0) this.note(NONE)
    else if (isPlot) this.#plot(whole)
    else if (isWhole) await this.printList(whole, this.#columns(), NONE)
    if (unread > 0) this.note(unreadNote(unread))
  }

  get #isChosen(): boolean {
    const { output, json } = this.globals
    return json || output !== undefined || Boolean(this.environment.variables['SECSCTL_OUTPUT'])
  }

  #columns(): readonly Column<RecordedValue>[] {
    return [
      { title: 'AT', text: (value) => this.formatTime(timeOf(value)), key: timeOf },
      { title: 'ID', text: ({ id }) => id ?? '', spare: true },
      { title: 'NAME', text: ({ name }) => name ?? '' },
      { title: 'VALUE', text: ({ text }) => text },
      { title: 'UNIT', text: ({ unit }) => unit ?? '' },
      { title: 'FROM', text: ({ source, event }) => event ?? source },
      { title: 'MESSAGE', text: ({ message_id }) => message_id, spare: true },
    ]
  }

  #plot(values: readonly RecordedValue[]): void {
    const isPlain = isPlainTerminal(this.environment.variables)
    const width = Math.max(20, (this.environment.stdout.columns || 80) - 1)
    const now = this.clock.date()
    const charts = historyCharts(values, { width, height: HEIGHT, isPlain }, (iso) => localTime(iso, now))
    this.print(charts.join('\n'))
  }
}

const unreadNote = (count: number): string =>
  count === 1
    ? 'One message has values whose variables are not known, and is left out.'
    : `${count} messages have values whose variables are not known, and are left out.`
