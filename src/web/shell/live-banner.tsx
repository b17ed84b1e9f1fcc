import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { delay, systemClock } from '../../kit/clock.js'
import type { Live } from '../gateway/live.js'
import { Time } from '../parts/time.js'
import { texts } from '../texts.js'

/** The shortest time from one load of a screen to the next. */
const MIN_AGE_MS = 60_000

/** The script of this page, which is named after its content. */
const ownScript = (): string | undefined =>
  document.querySelector<HTMLScriptElement>('script[type=module]')?.getAttribute('src') ?? undefined

/** True when the gateway serves another version of the page than this one. */
async function isOutdated(signal: AbortSignal): Promise<boolean> {
  const response = await fetch('/', { headers: { accept: 'text/html' }, cache: 'no-cache', signal })
  const script = ownScript()
  return response.ok && script !== undefined && !(await response.text()).includes(script)
}

/** True while the gateway only reads. */
async function isInStandby(signal: AbortSignal): Promise<boolean> {
  const response = await fetch('/readyz', { cache: 'no-cache', signal })
  return response.ok && ((await response.json()) as { readonly standby?: boolean }).standby === true
}

/** Says that the data are stale, or that there is a new version of the page, which a wall screen loads by itself. */
export function LiveBanner({ live, isKiosk }: { readonly live: Live; readonly isKiosk: boolean }) {
  const outdated = useSignal(false)
  const standby = useSignal(false)
  const isLive = live.phase.value === 'live'
  useEffect(() => {
    if (!isLive) return
    const left = new AbortController()
    isOutdated(left.signal).then(
      async (is) => {
        outdated.value = is
        if (!is || !isKiosk) return
        // Daemons of two versions at one address do not make a screen load all the time.
        await delay(systemClock, MIN_AGE_MS - systemClock.now(), left.signal)
        if (!left.signal.aborted) location.reload()
      },
      () => undefined,
    )
    isInStandby(left.signal).then(
      (is) => {
        standby.value = is
      },
      () => undefined,
    )
    return () => left.abort()
  }, [isLive, isKiosk])
  return (
    <>
      <div role="alert" class="banner-place">
        {live.isStale.value && (
          <p class="banner banner-stale">
            {/* It changes every second: a screen reader says the rest once. */}
            <strong aria-hidden="true">{texts.live.silent(live.silence.value)}.</strong>
            <span class="unseen">{texts.live.silentNow}</span>{' '}
            {live.heardAt.value > 0 && (
              <>
                {texts.live.shownSince} <HeardAt live={live} />.{' '}
              </>
            )}
            {live.lossReason.value}
          </p>
        )}
      </div>
      {standby.value && (
        <p class="banner" role="status">
          {texts.live.standby}
        </p>
      )}
      {outdated.value && !isKiosk && (
        <p class="banner" role="status">
          {texts.live.newVersion}{' '}
          <button type="button" onClick={() => location.reload()}>
            {texts.live.reload}
          </button>
        </p>
      )}
    </>
  )
}

const HeardAt = ({ live }: { readonly live: Live }) => (
  <Time at={new Date(live.heardAt.value).toISOString()} today={live.calls.date()} />
)
