import type { FormatTime } from '../output/local-time.js'
import { authoritiesOf, authorityText } from '../profile/authorities.js'
import type { Session } from '../profile/server.js'
import { type Finding, inArea } from './finding.js'

const settings = inArea('settings')
/** Milliseconds before the expiry of an authority from which it is noted. */
const SOON_MS = 30 * 24 * 60 * 60_000

/** The authorities that the profile trusts, each with its expiry; none where those of the system are trusted. */
export async function authorityFindings(
  session: Session,
  formatTime: FormatTime,
): Promise<readonly Finding[]> {
  const name = 'authority'
  try {
    const { profile } = await session.target()
    const { ca } = profile === undefined ? {} : (await session.profiles()).get(profile)
    if (ca === undefined) return []
    const now = session.clock.date().getTime()
    const mend = `secsctl profiles update ${profile} --ca-file FILE`
    return authoritiesOf(ca).map((authority) => {
      const left = Date.parse(authority.expires_at) - now
      const text = authorityText(authority, formatTime)
      if (left <= 0) return settings.wrong('access', name, `${text}: it has expired`, mend)
      return left < SOON_MS ? settings.note(name, `${text}: it expires soon`, mend) : settings.ok(name, text)
    })
  } catch (error) {
    return [settings.failed(name, error)]
  }
}
