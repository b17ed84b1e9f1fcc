import { useComputed } from '@preact/signals'
import { SelectorError } from '../../contract/selector.js'
import type { Live } from '../gateway/live.js'
import type { PageProps } from '../shell/page-props.js'
import { place, setQuery } from '../shell/router.js'
import { texts } from '../texts.js'
import { choiceOf, countStates, grouped, inStates, matching, usualGroup } from './selection.js'
import { ToolTile } from './tile.js'

const words = texts.wall

/** All equipment as tiles, grouped by a label. */
export function Wall({ live }: PageProps) {
  const { site } = live
  const chosen = useComputed(() => {
    try {
      return choiceOf(place.value.query, usualGroup(site.tools.value))
    } catch (error) {
      if (!(error instanceof SelectorError)) throw error
      return error
    }
  })
  const choice = chosen.value
  if (choice instanceof SelectorError) return <p class="empty">{choice.message}</p>
  return <Tiles live={live} />
}

function Tiles({ live }: { readonly live: Live }) {
  const { site } = live
  site.version.value
  const tools = site.tools.value
  const choice = choiceOf(place.value.query, usualGroup(tools))
  const found = matching(tools, choice)
  const shown = inStates(found, choice.states)
  const counts = countStates(found)
  return (
    <>
      <div class="toolbar">
        <h1>{words.heading}</h1>
        <input
          type="search"
          aria-label={words.search}
          placeholder={words.search}
          value={choice.search}
          onInput={({ currentTarget }) => setQuery({ q: currentTarget.value })}
        />
        <span role="status">{words.shown(shown.length, tools.length)}</span>
        <span>{[...counts].map(([state, count]) => `${texts.states[state]} ${count}`).join(' · ')}</span>
      </div>
      {grouped(shown, choice.groupBy).map(({ value, tools }) => (
        <section key={value ?? ''} class="group">
          {choice.groupBy !== '' && (
            <h2>{value === undefined ? words.without(choice.groupBy) : `${choice.groupBy} ${value}`}</h2>
          )}
          <ul class="tiles">
            {tools.map((tool) => (
              <ToolTile key={tool.id} tool={tool} live={live} />
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}
