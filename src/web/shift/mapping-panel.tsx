import { setQuery } from '../shell/router.js'
import { texts } from '../texts.js'
import {
  E10_WORDS,
  type E10Word,
  GATEWAY_STATES,
  type GatewayState,
  type Mapping,
  mappingQuery,
} from './e10.js'

const words = texts.shift

/** The words of E10 with their colours and what counts as each; opened, a form that changes it. */
export function MappingPanel({ mapping }: { readonly mapping: Mapping }) {
  const choose = (state: GatewayState, word: E10Word): void =>
    setQuery({ e10: mappingQuery({ ...mapping, [state]: word }) })
  return (
    <details class="e10-mapping">
      <summary>
        <span class="unseen">{words.mapping}</span>
        {E10_WORDS.map((word) => (
          <span key={word} class="e10-key">
            <i class={`e10-swatch e10-${word}`} aria-hidden="true" />
            <b>{words.e10[word]}</b> <small>{statesOf(word, mapping)}</small>
          </span>
        ))}
      </summary>
      <p class="muted">{words.mappingHelp}</p>
      <div class="e10-fields">
        {GATEWAY_STATES.map((state) => (
          <label key={state} class="inline-field">
            <span>
              {texts.states[state]} <span class="unseen">{words.countsAs}</span>
            </span>
            <select
              value={mapping[state]}
              onChange={({ currentTarget }) => choose(state, currentTarget.value as E10Word)}
            >
              {E10_WORDS.map((word) => (
                <option key={word} value={word}>
                  {words.e10[word]}
                </option>
              ))}
            </select>
          </label>
        ))}
        <button type="button" onClick={() => setQuery({ e10: [] })}>
          {words.usual}
        </button>
      </div>
    </details>
  )
}

function statesOf(word: E10Word, mapping: Mapping): string {
  const states = GATEWAY_STATES.filter((state) => mapping[state] === word).map((state) => texts.states[state])
  return [...states, ...(word === 'unknown' ? [words.notRunning] : [])].join(', ')
}
