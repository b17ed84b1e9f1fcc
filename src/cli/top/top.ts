import type { Equipment } from '../../contract/equipment.js'
import type { Environment } from '../environment.js'
import { equipmentMatching } from '../equipment/equipment-targets.js'
import { SELECTOR_FLAG, selectorGiven } from '../equipment/label-flags.js'
import { wrongUsage } from '../errors/failure.js'
import { GatewayCommand } from '../gateway-command.js'
import { SEVERAL_EQUIPMENT } from '../input/arguments.js'
import { parseDuration } from '../input/durations.js'
import { choiceFlag, switchFlag, textFlag } from '../input/flags.js'
import { knowsUnicode } from '../output/locale.js'
import { verb } from '../verb.js'
import type { Watched } from './feed.js'
import { frame } from './frame.js'
import { LiveTop, refuseScreen } from './live-top.js'
import { lacksRates, MAX_RATES, stateOnce } from './once.js'
import { shownEquipment } from './shown-equipment.js'
import { SORTS, type TopState } from './top-state.js'

const MIN_INTERVAL_MS = 200
const FEW_RATES = `Only the first ${MAX_RATES} have a rate. Choose some by name, -l or --filter; --sort rate reads the rates of all.`

/** The terminal without the line of the shell below; for a pipe, a page that all equipment fits on. */
const sizeIn =
  ({ stdout: { isTTY, columns, rows } }: Environment) =>
  ({ equipment }: TopState) =>
    isTTY ? { columns, rows: rows - 1 } : { columns: 120, rows: equipment.size + 15 }

export const top = verb(GatewayCommand, {
  summary: 'Watch all equipment, or some, on a live screen.',
  description:
    'States, message rates, open alarms and the last events of the equipment; ? on the screen lists the keys. --once prints one screen; with --json it prints the records of that screen. In a pipe, it reads the rates of the first 200 equipment, and with --sort rate those of all.',
  examples: [
    'secsctl top',
    "secsctl top 'etch-*'",
    'secsctl top -l area=etch,bay!=3',
    'secsctl top --sort rate --interval 1s',
    'secsctl top --once --filter etch',
  ],
  args: { equipment: SEVERAL_EQUIPMENT },
  strict: false,
  flags: {
    selector: SELECTOR_FLAG,
    once: switchFlag('Print one screen and end.'),
    sort: choiceFlag(SORTS, 'Sort by this.', { default: 'name' as const }),
    filter: textFlag('TEXT', 'Only equipment with this in its name or states.', { default: '' }),
    interval: textFlag('DURATION', 'Time between two readings of the traffic.', { default: '2s' }),
    ascii: switchFlag('Draw with ASCII characters only, as in a locale that is not UTF-8.'),
  },
  async run(on, { words, flags }) {
    const interval = parseDuration(flags.interval, '--interval')
    if (interval < MIN_INTERVAL_MS) throw wrongUsage(`--interval is ${MIN_INTERVAL_MS}ms or more`)
    const ascii = flags.ascii || !knowsUnicode(on.environment.variables)
    if (!flags.once) {
      const { json, output } = on.globals
      if (json || output === 'json') throw wrongUsage('the live screen cannot be JSON: add --once')
      refuseScreen(on.environment)
    }
    const { sort, filter } = flags
    const start = <S extends object>(state: S) => ({ ...state, sort, filter })
    const world = {
      client: await on.client(),
      renew: () => on.renewedClient(),
      clock: on.clock,
      interval,
      watched: await watched(on, words, flags.selector),
    }
    const signal = on.environment.interruption.hold()
    if (!flags.once) {
      const { stdin: input, stdout: output } = on.environment
      const interrupted = await new LiveTop({ ...world, ascii, input, output, signal, start }).run()
      if (interrupted) on.environment.exitCode = 130
      return
    }
    const isJson = on.format === 'json'
    const sizeOf = sizeIn(on.environment)
    const state = await stateOnce({ ...world, start, signal, printed: isJson ? 'counts' : { sizeOf } })
    if (signal.aborted) return
    if (isJson) {
      const { rates, alarms, events, sinks } = state
      const equipment = shownEquipment(state)
      return on.printJson({
        equipment,
        traffic: equipment.flatMap(({ id }) => ({ equipment_id: id, ...rates.get(id)?.traffic })),
        alarms,
        events,
        sinks,
      })
    }
    const view = { ...sizeOf(state), ascii, still: true }
    const lines = frame(state, view).slice(0, -1)
    on.printAsIs(lines.map((line) => line.trimEnd()).join('\n'))
    if (lacksRates(state, view)) on.note(FEW_RATES)
  },
})

async function watched(
  on: GatewayCommand,
  given: readonly string[],
  selector: string | undefined,
): Promise<Watched | undefined> {
  if (given.length === 0 && selector === undefined) return undefined
  // Throws where they match nothing.
  await on.chosen(given, false, selector)
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
