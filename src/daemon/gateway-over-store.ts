import { createHmac } from 'node:crypto'
import type { LocalLogins } from '../contract/topics/accounts/sign-on.js'
import { Accounts, type LoginRules } from '../gateway/accounts/accounts.js'
import type { SessionRecord } from '../gateway/accounts/company-account.js'
import type { KeyRecord } from '../gateway/accounts/key-record.js'
import type { Revocation } from '../gateway/accounts/revocations.js'
import type { UserRecord } from '../gateway/accounts/user-record.js'
import { AUDIT_RETENTION } from '../gateway/audit/audit.js'
import type { MappingRecord } from '../gateway/gem300/mapping/kept-mappings.js'
import { type Gateway, type GatewayParts, openGateway } from '../gateway/open-gateway.js'
import type { EquipmentRecord } from '../gateway/records/equipment-record.js'
import type { ReportsRecord } from '../gateway/services/reports/reports-record.js'
import { SignOn } from '../gateway/sign-on/sign-on.js'
import type { SignOnSettings } from '../gateway/sign-on/sign-on-settings.js'
import { type StoredSink, sealedSinks } from '../gateway/sinks/sealed-sinks.js'
import type { Clock } from '../kit/clock.js'
import { KEEP_ALL } from '../store/retention-policy.js'
import type { Store } from '../store/store.js'

import { SIGNING_KEY, SIGNING_KEY_BYTES } from './stored-records.js'

/** The accounts that a store holds. `passwordCost`: scrypt's N; 2^15 when left out. */
export async function accountsOf(
  store: Store,
  clock: Clock,
  passwordCost?: number,
  logins?: LoginRules,
): Promise<Accounts> {
  return new Accounts({
    sessions: await store.collection<SessionRecord>('sessions'),
    ...(logins && { logins }),
    users: await store.collection<UserRecord>('users'),
    revocations: await store.collection<Revocation>('revocations'),
    apiKeys: await store.collection<KeyRecord>('keys'),
    key: await store.secret(SIGNING_KEY, SIGNING_KEY_BYTES),
    clock,
    trustedTime: store.time,
    ...(passwordCost !== undefined && { passwordCost }),
  })
}

type FromStore =
  | 'journal'
  | 'catchUp'
  | 'position'
  | 'ownership'
  | 'audit'
  | 'equipment'
  | 'reports'
  | 'gem300'
  | 'sinks'
  | 'accounts'
  | 'signOn'
  | 'trustedTime'
  | 'siteKey'

export interface GatewayOptions extends Omit<GatewayParts, FromStore> {
  /** Targets of sinks may be on loopback, link-local and cloud metadata addresses. */
  readonly localSinks: boolean
  /** The folder of the files that sinks write. */
  readonly sinksFolder: string
  readonly passwordCost?: number
  /** Whose passwords are taken; everybody's when left out. */
  readonly localLogins?: LocalLogins
  /** Sign-on with the accounts of the company; left out, there is none. */
  readonly signOn?: SignOnSettings | undefined
  /** The first administrator, made when there is no user. */
  readonly admin?: { readonly email: string; readonly password: string } | undefined
}

/** Opens the gateway over what a store holds. `madeAdministrator`: the first administrator was made now. */
export async function openGatewayOver(
  store: Store,
  { localSinks, sinksFolder, passwordCost, admin, localLogins, signOn, ...given }: GatewayOptions,
): Promise<{ readonly gateway: Gateway; readonly madeAdministrator: boolean }> {
  const siteKey = await store.secret(SIGNING_KEY, SIGNING_KEY_BYTES)
  const logins = { local: localLogins ?? 'everybody', issuer: signOn?.issuer } as const
  const accounts = await accountsOf(store, given.clock, passwordCost, logins)
  const madeAdministrator = admin !== undefined && (await accounts.firstAdmin(admin.email, admin.password))
  const gateway = await openGateway({
    ...given,
    journal: store.journal,
    ...(store.catchUp && { catchUp: store.catchUp }),
    ...(store.position && { position: store.position }),
    ownership: store.ownership,
    audit: await store.furtherJournal('audit', given.standby ? KEEP_ALL : AUDIT_RETENTION),
    equipment: await store.collection<EquipmentRecord>('equipment', { owned: true }),
    reports: await store.collection<ReportsRecord>('reports'),
    gem300: await store.collection<MappingRecord>('gem300'),
    sinks: {
      collection: sealedSinks(await store.collection<StoredSink>('sinks'), siteKey),
      journalId: createHmac('sha256', siteKey).update('journal').digest('hex').slice(0, 16),
      localTargets: localSinks,
      folder: sinksFolder,
    },
    accounts,
    signOn: signOn && (await openSignOn(signOn, accounts, siteKey, given.clock)),
    trustedTime: store.time,
    siteKey,
  })
  return { gateway, madeAdministrator }
}

async function openSignOn(
  settings: SignOnSettings,
  accounts: Accounts,
  siteKey: Uint8Array,
  clock: Clock,
): Promise<SignOn> {
  // Only a daemon with this setting needs the library of OpenID Connect.
  const { OidcProvider } = await import('../gateway/sign-on/oidc-provider.js')
  return new SignOn({ settings, provider: new OidcProvider(settings, clock), accounts, clock, siteKey })
}
