import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { systemClock } from '../../kit/clock.js'
import type { Live } from '../gateway/live.js'
import { useArea } from '../parts/area.js'
import { SeverityMark } from '../parts/severity.js'
import { ToolName } from '../parts/tool-name.js'
import { place } from '../shell/router.js'
import { span, texts } from '../texts.js'
import { type Area, type Fit, filling, gridOf, pagesOf, zoomed } from './fit.js'
import { kioskAlarms } from './kiosk-alarms.js'
import { type Choice, countStates, type Group, grouped, inStates, matching } from './selection.js'
import type { Size } from './sizes.js'
import { StateCounts } from './state-counts.js'
import { Tiles } from './tiles.js'

const words = texts.wall

/** How long each page is shown where not all tiles fit on the screen. */
const PAGE_MS = 15_000
/** The pointer disappears when it has not moved for so long. */
const POINTER_MS = 3000

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })
const today = new Intl.DateTimeFormat(undefined, { weekday: 'short', day: 'numeric', month: 'short' })

/** Calls `run` at every interval while the component is shown. */
function useInterval(ms: number, run: () => void): void {
  useEffect(() => {
    let cancel = systemClock.at(systemClock.now() + ms, function next() {
      run()
      cancel = systemClock.at(systemClock.now() + ms, next)
    })
    return () => cancel()
  }, [ms])
}

/** Keeps the screen on where the browser can, and hides the pointer while nobody moves it. */
function useWallScreen(): void {
  useEffect(() => {
    const stay = (): void => {
      if (document.visibilityState === 'visible') navigator.wakeLock?.request('screen').catch(() => undefined)
    }
    let hide = (): void => undefined
    const moved = (): void => {
      hide()
      document.documentElement.classList.remove('no-pointer')
      hide = systemClock.at(systemClock.now() + POINTER_MS, () =>
        document.documentElement.classList.add('no-pointer'),
      )
    }
    stay()
    moved()
    document.addEventListener('visibilitychange', stay)
    document.addEventListener('pointermove', moved)
    return () => {
      hide()
      document.documentElement.classList.remove('no-pointer')
      document.removeEventListener('visibilitychange', stay)
      document.removeEventListener('pointermove', moved)
    }
  }, [])
}

/** The wall on a screen that nobody touches: all tiles at once as large as they can be, or page after page. */
export function Kiosk({ live, choice }: { readonly live: Live; readonly choice: Choice }) {
  useWallScreen()
  const { element, area } = useArea<HTMLDivElement>()
  const turn = useSignal(0)
  useInterval(PAGE_MS, () => {
    turn.value++
  })
  live.site.version.value
  const found = matching(live.site.tools.value, choice)
  const groups = grouped(inStates(found, choice.states), choice.groupBy)
  const { size, zoom, beside } = useFilling(groups, area.value, choice.size)
  const screen = area.value && zoomed(area.value, zoom)
  const { columns, widest } = screen ? gridOf(size, screen, beside) : { columns: 1, widest: 1 }
  const pages = screen ? pagesOf(groups, size, columns, screen.height, widest) : []
  const shown = pages.length === 0 ? 0 : turn.value % pages.length
  const isStale = live.isStale.value
  return (
    <div class="kiosk-screen">
      <header class="kiosk-head">
        <h1>{place.value.query.get('title') || place.value.query.get('wall') || words.heading}</h1>
        <StateCounts counts={countStates(found)} isStale={isStale} />
        {pages.length > 1 && <span class="kiosk-page">{words.page(shown + 1, pages.length)}</span>}
        <span class={`phase phase-${isStale ? 'lost' : live.phase.value}`}>
          <i aria-hidden="true" />
          {isStale ? texts.live.lost : texts.live[live.phase.value]}
        </span>
        <WallClock live={live} />
      </header>
      <div class="kiosk-tiles" ref={element}>
        <Tiles
          groups={pages[shown] ?? []}
          groupBy={choice.groupBy}
          size={size}
          zoom={zoom}
          columns={columns}
          live={live}
        />
        {found.length === 0 && live.isLoaded.value && <p class="empty">{words.noMatch}</p>}
      </div>
      <AlarmLine live={live} width={area.value?.width ?? 0} />
    </div>
  )
}

/** Found again only when the number of tiles of a group changes, or the screen. */
function useFilling(groups: readonly Group[], area: Area | undefined, only: Size | undefined): Fit {
  const shape = groups.map(({ tools }) => tools.length).join(' ')
  return useMemo(
    () => (area ? filling(groups, area, only) : { size: 'm', zoom: 1, beside: 1 }),
    [shape, area, only],
  )
}

/** The gateway's time, which the clock of a screen need not have. */
function WallClock({ live }: { readonly live: Live }) {
  const now = useSignal(live.calls.date())
  useInterval(1000, () => {
    const next = live.calls.date()
    if (next.getMinutes() !== now.peek().getMinutes()) now.value = next
  })
  return (
    <span class="kiosk-clock">
      {today.format(now.value)} <b>{clock.format(now.value)}</b>
    </span>
  )
}

/** The most urgent active alarms in words: of which equipment, which, and for how long. */
function AlarmLine({ live, width }: { readonly live: Live; readonly width: number }) {
  const now = useSignal(live.calls.date())
  useInterval(1000, () => {
    now.value = live.calls.date()
  })
  const said = kioskAlarms(live, width)
  if (!said) return null
  const { named, more, incomplete } = said
  const secondsSince = (time: string): number =>
    Math.max(0, Math.floor((now.value.getTime() - Date.parse(time)) / 1000))
  return (
    <section class="kiosk-alarms" aria-label={texts.pages.alarms}>
      <div class="kiosk-named">
        {named.map((alarm) => (
          <p key={alarm.id}>
            <SeverityMark severity={alarm.severity} />
            <b>
              <ToolName name={alarm.name} />
            </b>{' '}
            <span class="kiosk-text">{alarm.text || alarm.alid}</span>{' '}
            <span class="since">{span(secondsSince(alarm.set_at))}</span>
          </p>
        ))}
      </div>
      {more > 0 && <p class="kiosk-more">{words.moreAlarms(more)}</p>}
      {incomplete !== '' && <p class="kiosk-more kiosk-incomplete">{texts.alarms.incomplete(incomplete)}</p>}
    </section>
  )
}
