import type { Site } from './site.js'
import { Host } from './world.js'

/** Milliseconds between two looks; at night so many times as long. */
const LOOK_MS = 100
const NIGHTLY = 100

/** Looks all the time whether two gateways take themselves for the owner of a tool. */
export async function watchOwners(site: Site): Promise<void> {
  const { world, machines, observer, pace } = site
  const host = new Host('owners', '0.0.0.0', world)
  const { drives } = site
  const owned = new Map<string, number>()
  for (;;) {
    await world.sleep(host, LOOK_MS * pace * (site.isNight ? NIGHTLY : 1))
    for (const [tool, id] of site.ids) {
      const owners = machines.filter((machine) => machine.gateway?.ownership.owns(id))
      observer.require(
        owners.length <= 1,
        'No tool has two owners.',
        () => `${id} has ${owners.map(({ number }) => number).join(' and ')}`,
      )
      const [owner] = owners
      // What passed its tap in the last seconds of a lease is not recorded, and nobody is left who counts it.
      if (!owner) {
        drives.delete(id)
        tool.tapLost()
        continue
      }
      const driving = drives.get(id)
      if (driving?.machine !== owner || driving.host !== owner.host)
        drives.set(id, { machine: owner, host: owner.host })
      const before = owned.get(id) ?? owner.number
      if (before !== owner.number) observer.count('equipment driven by another gateway than before')
      owned.set(id, owner.number)
    }
  }
}
