import { TOOL_STATES, type ToolState } from '../gateway/tool-state.js'
import { StateMark } from '../parts/state-mark.js'
import { setQuery } from '../shell/router.js'
import { texts } from '../texts.js'

interface Props {
  readonly counts: ReadonlyMap<ToolState, number>
  /** The states that alone are shown; all if empty. */
  readonly chosen?: readonly ToolState[]
  readonly isStale: boolean
}

/** How many tiles have which state, the most urgent first. */
export function StateCounts({ counts, isStale }: Props) {
  const states = isStale ? [] : TOOL_STATES.filter((state) => counts.has(state))
  return (
    <ul class="counts">
      {states.map((state) => (
        <li key={state} class={`count state-${state}`}>
          <StateMark state={state} />
          <b>{(counts.get(state) ?? 0).toLocaleString()}</b> {texts.states[state]}
        </li>
      ))}
    </ul>
  )
}

/** The same as buttons, which leave only these states on the wall. */
export function StateFilter({ counts, chosen = [], isStale }: Props) {
  const toggle = (state: ToolState): void => {
    const next = chosen.includes(state) ? chosen.filter((other) => other !== state) : [...chosen, state]
    setQuery({ state: next })
  }
  const states = TOOL_STATES.filter((state) => counts.has(state) || chosen.includes(state))
  return (
    <fieldset class="counts">
      <legend class="unseen">{texts.wall.states}</legend>
      {states.map((state) => (
        <button
          key={state}
          type="button"
          class={`count state-${isStale ? 'nodata' : state}`}
          aria-pressed={chosen.includes(state)}
          onClick={() => toggle(state)}
        >
          <StateMark state={state} />
          <b>{(counts.get(state) ?? 0).toLocaleString()}</b> {texts.states[state]}
        </button>
      ))}
    </fieldset>
  )
}
