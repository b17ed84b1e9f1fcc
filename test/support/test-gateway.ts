import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { STANDARD_CATALOGUE } from '../../src/catalogue/standard-catalogue.js'
import { type GatewayOptions, openGatewayOver } from '../../src/daemon/gateway-over-store.js'
import type { Gateway } from '../../src/gateway/open-gateway.js'
import { systemClock } from '../../src/kit/clock.js'
import type { Store } from '../../src/store/store.js'
import { MemoryStore } from './memory-store.js'

export interface TestGatewayOptions extends Partial<GatewayOptions> {
  /** In memory when left out. */
  readonly store?: Store
}

/** A gateway for tests, benchmarks and stress, over any store. Who opens it closes it, and then the store. */
export async function openTestGateway({
  clock = systemClock,
  store = new MemoryStore({ clock }),
  ...given
}: TestGatewayOptions = {}): Promise<Gateway> {
  const { gateway } = await openGatewayOver(store, {
    clock,
    catalogue: STANDARD_CATALOGUE,
    localSinks: true,
    sinksFolder: join(tmpdir(), 'no-sinks'),
    hsmsHost: '127.0.0.1',
    passwordCost: 2,
    ...given,
  })
  return gateway
}
