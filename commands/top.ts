import { Flags } from '@oclif/core'
import { equipmentMatching } from '../src/cli/equipment/equipment-targets.js'
import { SELECTOR_FLAG, selectorGiven } from '../src/cli/equipment/label-flags.js'
import { wrongUsage } from '../src/cli/errors/failure.js'
import { GatewayCommand } from '../src/cli/gateway-command.js'
import { SEVERAL_EQUIPMENT } from '../src/cli/input/arguments.js'
import { parseDuration } from '../src/cli/input/durations.js'
import { knowsUnicode } from '../src/cli/output/locale.js'
import type { Watched } from '../src/cli/top/feed.js'
import { frame } from '../src/cli/top/frame.js'
import { LiveTop, refuseScreen, stateOnce } from '../src/cli/top/live-top.js'
import { shownEquipment } from '../src/cli/top/shown-equipment.js'
import { SORTS, type TopState } from '../src/cli/top/top-state.js'
import type { Equipment } from '../src/contract/equipment.js'

const MIN_INTERVAL_MS = 200

/** A page that all equipment fits on, for a pipe. */
const wholeSize = ({ equipment }: TopState) => ({ columns: 120, rows: equipment.size + 16 })

export default class Top extends GatewayCommand {
  static override summary = 'Watch all equipment, or some, on a live screen.'
  static override description =
    'States, message rates, open alarms and the last events of the equipment; ? on the screen lists the keys. --once prints one screen; with --json it prints the records of that screen.'
  static override examples = [
    'secsctl top',
    "secsctl top 'etch-*'",
    'secsctl top -l area=etch,bay!=3',
    'secsctl top --sort rate --interval 1s',
    'secsctl top --once --filter etch',
  ]
  static override strict = false
  static override args = { equipment: SEVERAL_EQUIPMENT }
  static override flags = {
    selector: SELECTOR_FLAG,
    once: Flags.boolean({ summary: 'Print one screen and end.' }),
    sort: Flags.option({ options: SORTS, default: 'name' as const, summary: 'Sort by this.' })(),
    filter: Flags.string({
      default: '',
      helpValue: 'TEXT',
      summary: 'Only equipment with this in its name or states.',
    }),
    interval: Flags.string({
      default: '2s',
      helpValue: 'DURATION',
      summary: 'Time between two looks at the traffic.',
    }),
    ascii: Flags.boolean({ summary: 'Draw with ASCII alone, as where the locale is not UTF-8.' }),
  }

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(Top)
    const interval = parseDuration(flags.interval, '--interval')
    if (interval < MIN_INTERVAL_MS) throw wrongUsage(`--interval is ${MIN_INTERVAL_MS}ms or more`)
    const ascii = flags.ascii || !knowsUnicode(this.environment.variables)
    if (!flags.once) {
      const { json, output } = this.globals
      if (json || output === 'json') throw wrongUsage('the live screen cannot be JSON: add --once')
      refuseScreen(this.environment)
    }
    const { sort, filter } = flags
    const start = <S extends object>(state: S) => ({ ...state, sort, filter })
    const world = {
      client: await this.client(),
      renew: () => this.renewedClient(),
      clock: this.clock,
      interval,
      watched: await this.#watched(argv.map(String), flags.selector),
    }
    const signal = this.environment.interruption.hold()
    if (!flags.once) {
      const { stdin: input, stdout: output } = this.environment
      const interrupted = await new LiveTop({ ...world, ascii, input, output, signal, start }).run()
      if (interrupted) this.environment.exitCode = 130
      return
    }
    const state = await stateOnce(world, start, signal)
    if (signal.aborted) return
    if (this.format === 'json') {
      const { rates, alarms, events, sinks } = state
      const equipment = shownEquipment(state)
      return this.printJson({
        equipment,
        traffic: equipment.flatMap(({ id }) => ({ equipment_id: id, ...rates.get(id)?.traffic })),
        alarms,
        events,
        sinks,
      })
    }
    const { columns, rows } = this.environment.stdout.isTTY ? this.environment.stdout : wholeSize(state)
    const lines = frame(state, { columns, rows: rows - 1, ascii, still: true }).slice(0, -1)
    this.printAsIs(lines.map((line) => line.trimEnd()).join('\n'))
  }

  async #watched(given: readonly string[], selector: string | undefined): Promise<Watched | undefined> {
    if (given.length === 0 && selector === undefined) return undefined
    // Throws where they match nothing.
    await this.chosen(given, false, selector)
    const matching = (name: string, all: readonly Equipment[]): readonly Equipment[] => {
      try {
        return equipmentMatching([name], all)
      } catch {
        // It was removed meanwhile.
        return []
      }
    }
    const among = (all: readonly Equipment[]) => [...new Set(given.flatMap((name) => matching(name, all)))]
    return selector === undefined ? { among } : { ...selectorGiven(selector), among: (all) => all }
  }
}
