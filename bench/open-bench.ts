import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { STANDARD_CATALOGUE } from '../src/catalogue/standard-catalogue.js'
import { Accounts } from '../src/gateway/accounts/accounts.js'
import { AUDIT_RETENTION } from '../src/gateway/audit/audit.js'
import { type Gateway, openGateway } from '../src/gateway/open-gateway.js'
import { systemClock } from '../src/kit/clock.js'
import { openStore } from '../src/store/files/data-folder.js'
import type { Store } from '../src/store/store.js'

/** A gateway over a folder that goes with the process, and the token of its administrator. `fill` writes its past. */
export async function openBench(fill: (store: Store) => Promise<unknown> = async () => {}): Promise<{
  readonly folder: string
  readonly store: Store
  readonly gateway: Gateway
  readonly token: string
}> {
  const folder = mkdtempSync(join(tmpdir(), 'secsctl-bench-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const store = await openStore(join(folder, 'data'), { clock: systemClock })
  await fill(store)
  const accounts = new Accounts({
    users: await store.collection('users'),
    revocations: await store.collection('revocations'),
    apiKeys: await store.collection('keys'),
    key: await store.secret('signing-key', 32),
    clock: systemClock,
  })
  const password = 'correct horse battery'
  await accounts.firstAdmin('admin@localhost', password)
  const { token } = await accounts.login({ email: 'admin@localhost', password }, '127.0.0.1')
  const gateway = await openGateway({
    journal: store.journal,
    ownership: store.ownership,
    audit: await store.furtherJournal('audit', AUDIT_RETENTION),
    equipment: await store.collection('equipment', { owned: true }),
    reports: await store.collection('reports'),
    sinks: { collection: await store.collection('sinks'), journalId: '', localTargets: true, folder },
    accounts,
    clock: systemClock,
    catalogue: STANDARD_CATALOGUE,
    hsmsHost: '127.0.0.1',
  })
  return { folder, store, gateway, token }
}
