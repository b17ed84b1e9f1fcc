import { SelectorError } from '../../contract/selector.js'
import type { Live } from '../gateway/live.js'
import { useArea } from '../parts/area.js'
import type { PageProps } from '../shell/page-props.js'
import { place, setQuery } from '../shell/router.js'
import { texts } from '../texts.js'
import { columnsOf, pagesOf, sizeFor } from './fit.js'
import { Kiosk } from './kiosk.js'
import { type Choice, choiceOf, countStates, grouped, inStates, matching, usualGroup } from './selection.js'
import { StateFilter } from './state-counts.js'
import { Tiles } from './tiles.js'
import { Toolbar } from './toolbar.js'

const words = texts.wall

/** Screens over which the tiles of the wall may go before they become smaller. */
const MAX_SCREENS = 3

/** All equipment as tiles, grouped by a label; with `?wall=` for a screen without a mouse. */
export function Wall({ live }: PageProps) {
  // Labels decide about the usual group.
  live.site.version.value
  const { query } = place.value
  let choice: Choice
  try {
    choice = choiceOf(query, usualGroup(live.site.tools.value))
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error
    return (
      <div class="empty">
        <h1>{words.heading}</h1>
        <p role="alert">{words.badSelector(query.get('labels') ?? query.get('wall') ?? '', error.message)}</p>
        <a href="/">{words.reset}</a>
      </div>
    )
  }
  if (!live.isLoaded.value) return <p class="empty">{texts.live.connecting}</p>
  return query.has('wall') ? (
    <Kiosk live={live} choice={choice} />
  ) : (
    <InteractiveWall live={live} choice={choice} />
  )
}

function InteractiveWall({ live, choice }: { readonly live: Live; readonly choice: Choice }) {
  const { element, area } = useArea<HTMLDivElement>()
  live.site.version.value
  const tools = live.site.tools.value
  const found = matching(tools, choice)
  const shown = inStates(found, choice.states)
  const groups = grouped(shown, choice.groupBy)
  const { value } = area
  const screen = value && { width: value.width, height: value.width * 0.55 * MAX_SCREENS }
  const size = choice.size ?? (screen ? sizeFor(groups, screen, 's') : 'm')
  const columns = screen ? columnsOf(size, screen) : 1
  const [placed = []] = pagesOf(groups, size, columns, Number.POSITIVE_INFINITY)
  const isNarrowed = shown.length < tools.length
  return (
    <>
      <Toolbar tools={tools} choice={choice} shown={shown} />
      <StateFilter counts={countStates(found)} chosen={choice.states} isStale={live.isStale.value} />
      <div ref={element}>
        {value && (
          <Tiles groups={placed} groupBy={choice.groupBy} size={size} columns={columns} live={live} />
        )}
      </div>
      {shown.length === 0 && live.isLoaded.value && (
        <div class="empty">
          <p>{isNarrowed ? words.noMatch : words.none}</p>
          {isNarrowed && (
            <button type="button" onClick={() => setQuery({ q: '', state: [], labels: '' })}>
              {words.reset}
            </button>
          )}
        </div>
      )}
    </>
  )
}
