import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Live } from '../gateway/live.js'
import { Time } from '../parts/time.js'
import { texts } from '../texts.js'

/** The script of this page, which is named after its content. */
const ownScript = (): string | undefined =>
  document.querySelector<HTMLScriptElement>('script[type=module]')?.getAttribute('src') ?? undefined

/** True when the gateway serves another version of the page than this one. */
async function isOutdated(signal: AbortSignal): Promise<boolean> {
  const answer = await fetch('/', { headers: { accept: 'text/html' }, cache: 'no-cache', signal })
  const script = ownScript()
  return answer.ok && script !== undefined && !(await answer.text()).includes(script)
}

/** Says that the data are stale, or that there is a new version of the page, which a wall screen loads by itself. */
export function LiveBanner({ live, isKiosk }: { readonly live: Live; readonly isKiosk: boolean }) {
  const outdated = useSignal(false)
  const isLive = live.phase.value === 'live'
  useEffect(() => {
    if (!isLive) return
    const left = new AbortController()
    isOutdated(left.signal).then(
      (is) => {
        if (is && isKiosk) location.reload()
        outdated.value = is
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
            <strong>{texts.live.silent(live.silence.value)}.</strong>{' '}
            {live.heardAt.value > 0 && (
              <>
                {texts.live.shownSince} <Time at={new Date(live.heardAt.value).toISOString()} />.{' '}
              </>
            )}
            {live.lossReason.value}
          </p>
        )}
      </div>
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
