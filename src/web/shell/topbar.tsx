import { useEffect, useRef } from 'preact/hooks'
import type { Live } from '../gateway/live.js'
import { texts } from '../texts.js'
import { PAGES } from './pages.js'
import { place } from './router.js'
import { logOut } from './session.js'
import type { Session } from './session-record.js'
import { KeysButton } from './shortcuts.js'
import { ThemeButton } from './theme.js'

const WORDS = { connecting: texts.live.connecting, live: texts.live.live, lost: texts.live.lost } as const

export function Topbar({ live, session }: { readonly live: Live; readonly session: Session }) {
  const { path } = place.value
  const phase = live.isStale.value ? 'lost' : live.phase.value
  const nav = useRef<HTMLElement>(null)
  // The number of alarms beside a name takes room.
  const digits = String(live.site.unacknowledged.value).length
  // On a phone the names of the pages scroll: that of this page is seen.
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [path, digits, live.site.unacknowledged.value > 0, live.isStale.value])
  return (
    <header class="topbar">
      <a class="skip" href="#content">
        {texts.skip}
      </a>
      <span class="product">{texts.product}</span>
      <nav aria-label={texts.navigation} ref={nav}>
        {PAGES.filter(({ isListed }) => isListed).map((row) => (
          <a key={row.path} href={row.path} aria-current={row.path === path ? 'page' : undefined}>
            {row.title}
            {row.path === '/alarms' && <OpenAlarms live={live} />}
          </a>
        ))}
      </nav>
      <span class={`phase phase-${phase}`}>
        <i aria-hidden="true" />
        {WORDS[phase]}
      </span>
      <span class="who" title={texts.session.as(session.name, session.role)}>
        {texts.session.as(session.name, session.role)}
      </span>
      <KeysButton />
      <ThemeButton />
      <button type="button" onClick={() => void logOut()}>
        {texts.session.logout}
      </button>
    </header>
  )
}

/** How many alarms nobody has acknowledged, while that is known. */
function OpenAlarms({ live }: { readonly live: Live }) {
  const count = live.site.unacknowledged.value
  if (count === 0 || live.isStale.value) return null
  return (
    <>
      {' '}
      <b class="nav-count">
        <span aria-hidden="true">{count > 999 ? '999+' : count}</span>
        <span class="unseen">{texts.openAlarms(count)}</span>
      </b>
    </>
  )
}
