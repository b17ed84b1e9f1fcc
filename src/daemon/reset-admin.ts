import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AUDIT_RETENTION, Audit } from '../gateway/audit/audit.js'
import type { AuditedCall } from '../gateway/audit/audited-call.js'
import type { Store } from '../store/store.js'
import { accountsOf } from './gateway-over-store.js'
import { openDaemonStore, type StoreChoice } from './open-store.js'

export interface AdminReset {
  readonly email: string
  /** False when the user was there, and has another password and all rights now. */
  readonly added: boolean
}

/** The action that the audit shows: no call of the API does this. */
const RESET_ADMIN = 'resetAdmin'

/**
 * Makes `email` an administrator with this password, on a store that no daemon has to serve, and records it in the audit.
 * All logins of the user end. `by`: who does it on this machine. Throws what `openDaemonStore` throws.
 */
export async function resetAdmin(
  options: StoreChoice,
  { email, password }: { readonly email: string; readonly password: string },
  by: string,
): Promise<AdminReset> {
  // A daemon of this machine that works on the same database has locked the data folder, in which nothing is needed.
  const scratch = options.store && (await mkdtemp(join(tmpdir(), 'secsctl-reset-')))
  try {
    const store = await openDaemonStore({ ...options, dataFolder: scratch ?? options.dataFolder })
    try {
      return await resetIn(store, options, { email, password, by })
    } finally {
      await store.close()
    }
  } finally {
    if (scratch !== undefined) await rm(scratch, { recursive: true, force: true })
  }
}

async function resetIn(
  store: Store,
  { clock }: StoreChoice,
  { email, password, by }: { readonly email: string; readonly password: string; readonly by: string },
): Promise<AdminReset> {
  const accounts = await accountsOf(store, clock)
  const journal = await store.furtherJournal('audit', AUDIT_RETENTION)
  await journal.attach([])
  const nobody = { nameOf: () => undefined, equipmentOf: async () => undefined }
  const audit = new Audit({ journal, clock, ...nobody })
  const call = calledBy(email, by)
  // As with every call, the entry is on disk before anything is changed.
  const seq = await audit.begin(call)
  const { user, added } = await accounts.resetAdmin(email, password)
  audit.ended(seq, call, { status: added ? 201 : 200, code: null, message_id: null })
  await audit.close()
  return { email: user.email, added }
}

const calledBy = (email: string, by: string): AuditedCall => ({
  action: RESET_ADMIN,
  equipment_id: null,
  user: null,
  api_key: null,
  address: null,
  request_id: null,
  reason: `secsctl daemon reset-admin by ${by}`,
  details: { email },
})
