import { expect, test } from 'vitest'
import type { StartedEquipment } from '../../../src/gateway/equipment/registry.js'
import type { HostCommands } from '../../../src/gateway/sending/remote-commands.js'
import { gemServices, type ServiceParts } from '../../../src/gateway/services/gem-services.js'
import { Signal } from '../../../src/kit/signal.js'
import { StoreUnavailable } from '../../../src/store/failure.js'

/** What becomes of the upkeep of reports where reading them fails with this. */
async function upkeepWith(failure: Error): Promise<unknown> {
  const started = new Signal<StartedEquipment>()
  const reports = { get: () => Promise.reject(failure) }
  const registry = { started, removed: new Signal<string>() }
  gemServices({ registry, reports, commands: {} as HostCommands } as unknown as ServiceParts)
  const works: Promise<unknown>[] = []
  started.emit({ equipmentId: 'eq_1', waitFor: (work) => works.push(work) })
  return Promise.all(works)
}

test('a bug in the upkeep of reports is thrown; a store that fails ends the gateway by itself', async () => {
  await expect(upkeepWith(new TypeError('no such function'))).rejects.toThrow('no such function')
  await expect(upkeepWith(new StoreUnavailable('no disk'))).resolves.toEqual([undefined])
})
