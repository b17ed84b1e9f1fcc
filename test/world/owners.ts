import type { GatewayMachine } from './gateway-process.js'
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
      let owner: GatewayMachine | undefined
      // Ten times a second for each tool: without a list of owners.
      for (const machine of machines) {
        if (machine.gateway?.ownership.owns(id) !== true) continue
        const other = owner?.number
        owner ??= machine
        observer.require(
          other === undefined,
          'No tool has two owners.',
          () => `${id} has ${other} and ${machine.number}`,
        )
      }
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
