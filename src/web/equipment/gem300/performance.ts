import type { ModulePerformance } from '../../../contract/topics/gem300/performance.js'
import type { CsvColumn } from '../../parts/csv.js'
import type { E10Word } from '../../shift/e10.js'
import type { Span } from '../../shift/timeline.js'

/** A time during which a module was in one state. */
export interface ModuleStretch extends Span {
  readonly state: string
  readonly task: string | null
  /** Why it was blocked; null where it was not, or nobody has told why. */
  readonly reason: string | null
  /** The colour of its state: those of the lanes of a shift. */
  readonly word: E10Word
}

/** States that have a colour of their own; of others it is only known that they are another one. */
const WORDS: ReadonlyMap<string, E10Word> = new Map([
  ['BUSY', 'productive'],
  ['IDLE', 'standby'],
  ['BLOCKED', 'unscheduled-down'],
  ['UNKNOWN', 'unknown'],
])

export const wordOfState = (state: string): E10Word => WORDS.get(state) ?? 'engineering'

/** The states of a module one after the other. */
export const stretchesOf = ({ stretches = [] }: ModulePerformance): readonly ModuleStretch[] =>
  stretches.map(({ from, to, state, task, blocked_reason, blocked_text }) => ({
    from: Date.parse(from),
    to: Date.parse(to),
    state,
    task: task || null,
    reason: state === 'BLOCKED' ? blocked_text || blocked_reason : null,
    word: wordOfState(state),
  }))

/** The states of which any module has a share, those that everybody knows first. */
export const statesIn = (modules: readonly ModulePerformance[]): readonly string[] => {
  const found = new Set(modules.flatMap(({ shares }) => shares.map(({ state }) => state)))
  const others = [...found].filter((state) => !WORDS.has(state)).sort()
  return [...WORDS.keys()].filter((state) => state !== 'UNKNOWN').concat(others, 'UNKNOWN')
}

/** The share of a state in the whole time. */
export const shareOf = ({ shares }: ModulePerformance, wanted: string): number =>
  shares.find(({ state }) => state === wanted)?.share ?? 0

export const PERFORMANCE_CSV: readonly CsvColumn<{
  readonly module: string
  readonly stretch: ModuleStretch
}>[] = [
  ['module', ({ module }) => module],
  ['from', ({ stretch }) => new Date(stretch.from).toISOString()],
  ['to', ({ stretch }) => new Date(stretch.to).toISOString()],
  ['state', ({ stretch }) => stretch.state],
  ['task', ({ stretch }) => stretch.task ?? ''],
  ['reason', ({ stretch }) => stretch.reason ?? ''],
]
