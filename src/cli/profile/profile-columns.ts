import type { Column } from '../output/output.js'
import { type Authority, authoritiesOf } from './authorities.js'
import { LOCAL, type Profiles } from './profiles.js'

export interface ListedProfile {
  readonly name: string
  /** Null for the daemon on this machine: its address file has it. */
  readonly url: string | null
  readonly email: string | null
  readonly keychain: string | null
  /** Who may issue the certificate of the gateway; null: the authorities of the system. */
  readonly ca: readonly Authority[] | null
  readonly current: boolean
}

export function listedProfile(profiles: Profiles, name: string): ListedProfile {
  const { url, email, keychain, ca } = profiles.get(name)
  const current = name === (profiles.current ?? LOCAL)
  return {
    name,
    url: url ?? null,
    email: email ?? null,
    keychain: keychain ?? null,
    ca: ca === undefined ? null : authoritiesOf(ca),
    current,
  }
}

export const PROFILE_COLUMNS: readonly Column<ListedProfile>[] = [
  { title: '', text: ({ current }) => (current ? '*' : '') },
  { title: 'NAME', text: ({ name }) => name },
  { title: 'URL', text: ({ url }) => url ?? '(the daemon on this machine)' },
  { title: 'EMAIL', text: ({ email }) => email ?? '' },
  { title: 'TOKEN IN', text: ({ keychain }) => keychain ?? '' },
]
