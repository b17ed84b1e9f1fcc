import type { Site } from './site.js'
import { Host } from './world.js'

/** Milliseconds between two looks. */
const LOOK_MS = 100

/** Looks all the time whether two gateways take themselves for the owner of a tool. */
export async function watchOwners(site: Site): Promise<void> {
  const { world, machines, observer } = site
  const host = new Host('owners', '0.0.0.0', world)
  for (;;) {
    await world.sleep(host, LOOK_MS)
    for (const id of site.ids.values()) {
      const owners = machines.filter((machine) => machine.gateway?.ownership.owns(id))
      observer.require(
        owners.length <= 1,
        'No tool has two owners.',
        () => `${id} has ${owners.map(({ number }) => number).join(' and ')}`,
      )
    }
  }
}
