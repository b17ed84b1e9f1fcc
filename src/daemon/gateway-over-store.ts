import { createHmac } from 'node:crypto'
import { Accounts } from '../gateway/accounts/accounts.js'
import type { KeyRecord } from '../gateway/accounts/key-record.js'
import type { Revocation } from '../gateway/accounts/revocations.js'
import type { UserRecord } from '../gateway/accounts/user-record.js'
import { AUDIT_RETENTION } from '../gateway/audit/audit.js'
import { type Gateway, type GatewayParts, openGateway } from '../gateway/open-gateway.js'
import type { EquipmentRecord } from '../gateway/records/equipment-record.js'
import type { ReportsRecord } from '../gateway/services/reports/reports-record.js'
import { type StoredSink, sealedSinks } from '../gateway/sinks/sealed-sinks.js'
import type { Clock } from '../kit/clock.js'
import { KEEP_ALL } from '../store/retention-policy.js'
import type { Store } from '../store/store.js'

import { SIGNING_KEY, SIGNING_KEY_BYTES } from './stored-records.js'

/** The accounts that a store holds. `passwordCost`: scrypt's N; 2^15 when left out. */
export async function accountsOf(store: Store, clock: Clock, passwordCost?: number): Promise<Accounts> {
  return new Accounts({
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
  | 'ownership'
  | 'audit'
  | 'equipment'
  | 'reports'
  | 'sinks'
  | 'accounts'
  | 'trustedTime'
  | 'siteKey'

export interface GatewayOptions extends Omit<GatewayParts, FromStore> {
  /** Targets of sinks may be on loopback, link-local and cloud metadata addresses. */
  readonly localSinks: boolean
  /** The folder of the files that sinks write. */
  readonly sinksFolder: string
  readonly passwordCost?: number
  /** The first administrator, made when there is no user. */
  readonly admin?: { readonly email: string; readonly password: string } | undefined
}

/** Opens the gateway over what a store holds. `madeAdministrator`: the first administrator was made now. */
export async function openGatewayOver(
  store: Store,
  { localSinks, sinksFolder, passwordCost, admin, ...given }: GatewayOptions,
): Promise<{ readonly gateway: Gateway; readonly madeAdministrator: boolean }> {
  const siteKey = await store.secret(SIGNING_KEY, SIGNING_KEY_BYTES)
  const accounts = await accountsOf(store, given.clock, passwordCost)
  const madeAdministrator = admin !== undefined && (await accounts.firstAdmin(admin.email, admin.password))
  const gateway = await openGateway({
    ...given,
    journal: store.journal,
    ...(store.catchUp && { catchUp: store.catchUp }),
    ownership: store.ownership,
    audit: await store.furtherJournal('audit', given.standby ? KEEP_ALL : AUDIT_RETENTION),
    equipment: await store.collection<EquipmentRecord>('equipment', { owned: true }),
    reports: await store.collection<ReportsRecord>('reports'),
    sinks: {
      collection: sealedSinks(await store.collection<StoredSink>('sinks'), siteKey),
      journalId: createHmac('sha256', siteKey).update('journal').digest('hex').slice(0, 16),
      localTargets: localSinks,
      folder: sinksFolder,
    },
    accounts,
    trustedTime: store.time,
    siteKey,
  })
  return { gateway, madeAdministrator }
}
