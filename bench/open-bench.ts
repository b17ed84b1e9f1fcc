import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Gateway } from '../src/gateway/open-gateway.js'
import { systemClock } from '../src/kit/clock.js'
import { openStore } from '../src/store/files/data-folder.js'
import type { Store } from '../src/store/store.js'
import { openTestGateway } from '../test/support/test-gateway.js'

/** A folder that goes with the process, also where that is interrupted, or the process that has started it ends. */
export function benchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'secsctl-bench-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  for (const end of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect']) process.once(end, () => process.exit(1))
  return folder
}

/** A gateway over a folder that goes with the process, and the token of its administrator. `fill` writes its past. */
export async function openBench(fill: (store: Store) => Promise<unknown> = async () => {}): Promise<{
  readonly folder: string
  readonly store: Store
  readonly gateway: Gateway
  readonly token: string
}> {
  const folder = benchFolder()
  const store = await openStore(join(folder, 'data'), { clock: systemClock })
  await fill(store)
  const admin = { email: 'admin@localhost', password: 'correct horse battery' }
  const gateway = await openTestGateway({ store, admin, sinksFolder: folder })
  const { token } = await gateway.accounts.login(admin, '127.0.0.1')
  return { folder, store, gateway, token }
}
