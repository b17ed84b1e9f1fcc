import { useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { systemClock } from '../../kit/clock.js'
import { Api } from '../api-page/api.js'
import { Live } from '../gateway/live.js'
import { texts } from '../texts.js'
import { LiveBanner } from './live-banner.js'
import { Login } from './login.js'
import { pageAt } from './page-at.js'
import { PAGES } from './pages.js'
import { place } from './router.js'
import { calls, session } from './session.js'
import { type Session, sessionId } from './session-record.js'
import { Shortcuts } from './shortcuts.js'
import { ThemeButton } from './theme.js'
import { Topbar } from './topbar.js'

/** The page: the login, or the frame with the page of the address in it. The API is shown to anybody. */
export function App() {
  const { value } = session
  const wantsLogin = useSignal(false)
  if (value) return <LoggedIn key={sessionId(value)} session={value} />
  if (place.value.path !== '/api' || wantsLogin.value) return <Login />
  return (
    <ApiForAnybody
      logIn={() => {
        wantsLogin.value = true
      }}
    />
  )
}

function ApiForAnybody({ logIn }: { readonly logIn: () => void }) {
  useEffect(() => {
    document.title = texts.title(texts.pages.api)
  }, [])
  return (
    <div class="frame">
      <header class="topbar">
        <span class="product">{texts.product}</span>
        <nav aria-label={texts.navigation}>
          <a href="/">{texts.pages.wall}</a>
        </nav>
        <ThemeButton />
        <button type="button" onClick={logIn}>
          {texts.session.login}
        </button>
      </header>
      <main id="content" class="page">
        <Api />
      </main>
    </div>
  )
}

function LoggedIn({ session }: { readonly session: Session }) {
  // A wall screen follows its own equipment only.
  const selector = place.value.query.get('wall') || undefined
  const live = useMemo(() => new Live(calls, systemClock, selector), [sessionId(session), selector])
  useEffect(() => {
    const ended = new AbortController()
    void live.run(ended.signal)
    const look = (): void => live.tick(ended.signal)
    for (const event of ['visibilitychange', 'online', 'pageshow']) addEventListener(event, look)
    return () => {
      ended.abort()
      for (const event of ['visibilitychange', 'online', 'pageshow']) removeEventListener(event, look)
    }
  }, [live])
  const isKiosk = place.value.query.has('wall')
  return (
    <div class={isKiosk ? 'frame kiosk' : 'frame'}>
      {!isKiosk && <Topbar live={live} session={session} />}
      {!isKiosk && <Shortcuts live={live} />}
      <LiveBanner live={live} isKiosk={isKiosk} />
      <CurrentPage live={live} />
    </div>
  )
}

function CurrentPage({ live }: { readonly live: Live }) {
  const found = pageAt(place.value.path, PAGES)
  const title = found?.row.title ?? texts.unknownPage
  const main = useRef<HTMLElement>(null)
  const isFirst = useRef(true)
  useEffect(() => {
    document.title = texts.title(title)
    // Keyboards and screen readers continue on the page that was opened.
    if (!isFirst.current) main.current?.focus()
    isFirst.current = false
  }, [title])
  const Page = found?.row.page
  return (
    <main id="content" tabIndex={-1} ref={main} class={`page ${live.isStale.value ? 'is-stale' : ''}`}>
      {Page ? (
        <Page key={found.row.path} live={live} params={found.params} />
      ) : (
        <div class="empty">
          <h1>{texts.unknownPage}</h1>
          <p>{texts.unknownAddress(place.value.path)}</p>
          <a href="/">{texts.toWall}</a>
        </div>
      )}
    </main>
  )
}
