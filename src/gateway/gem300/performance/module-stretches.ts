import { type Change, segmentsOf, UNKNOWN_STATE } from '../../../contract/state-changes.js'

/** What a module does, as it was told; null where it was not. */
export interface Doing {
  readonly task: string | null
  readonly task_type: string | null
  readonly blocked_reason: string | null
  readonly blocked_text: string | null
}

/** That a module is in a state was told. */
export interface ToldPerformance extends Doing {
  readonly module: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly state: string
}

export interface Span {
  readonly from: number
  readonly to: number
}

export interface ModuleStretch extends Span, Doing {
  readonly state: string
}

export const NOT_TOLD: Doing = { task: null, task_type: null, blocked_reason: null, blocked_text: null }

/** What a module did in a time, and how it is at the end. */
export interface ModuleTime {
  /** One after the other, without a gap. */
  readonly stretches: readonly ModuleStretch[]
  /** When the last state has begun; undefined where none was ever told. */
  readonly since: number | undefined
  /** The last state that was told. */
  readonly told: ToldPerformance | undefined
}

/**
 * The states of a module in a time. One that was told holds until another is told, or until a loss: afterwards it is not
 * known. `told`: of this module, oldest first. `losses`: in the order of time. At the same time a loss is the later one.
 */
export function moduleTime(
  module: string,
  told: readonly ToldPerformance[],
  losses: readonly number[],
  span: Span,
): ModuleTime {
  const keys = new Map<string, ToldPerformance>()
  const states = told.map((one): Change<string> => {
    const { at, module: _, ...what } = one
    const key = JSON.stringify(what)
    keys.set(key, one)
    return { lane: module, at, from: undefined, to: key }
  })
  const lost = losses.map((at): Change<string> => ({ lane: module, at, from: undefined, to: UNKNOWN_STATE }))
  const changes = [...states, ...lost].sort((one, other) => one.at - other.at)
  const segments = segmentsOf(changes, module, span, { [module]: UNKNOWN_STATE })
  const stretches = segments
    .filter(({ from, to }) => to > from)
    .map(({ from, to, value }): ModuleStretch => {
      const { task, task_type, blocked_reason, blocked_text, state } = keys.get(value) ?? {
        ...NOT_TOLD,
        state: UNKNOWN_STATE,
      }
      return { from, to, state, task, task_type, blocked_reason, blocked_text }
    })
  return { stretches, since: sinceOf(changes, span, keys), told: told.findLast(({ at }) => at < span.to) }
}

/** When the state at the end of the time has begun. */
function sinceOf(
  changes: readonly Change<string>[],
  { to }: Span,
  keys: ReadonlyMap<string, ToldPerformance>,
): number | undefined {
  let state: string | undefined
  let since: number | undefined
  let wasTold = false
  for (const change of changes) {
    if (change.at >= to) break
    const next = keys.get(change.to)?.state ?? UNKNOWN_STATE
    wasTold ||= next !== UNKNOWN_STATE
    if (next !== state) since = change.at
    state = next
  }
  return wasTold ? since : undefined
}

/** Seconds and shares of the time by state: those of SEMI E116 and the unknown time always, others where they are. */
export function sharesOf(
  stretches: readonly ModuleStretch[],
  { from, to }: Span,
): { state: string; seconds: number; share: number }[] {
  const times = new Map(['IDLE', 'BUSY', 'BLOCKED', UNKNOWN_STATE].map((state) => [state, 0]))
  for (const stretch of stretches)
    times.set(stretch.state, (times.get(stretch.state) ?? 0) + stretch.to - stretch.from)
  return [...times].map(([state, ms]) => ({ state, seconds: ms / 1000, share: ms / (to - from) }))
}
