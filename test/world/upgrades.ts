import type { Surroundings } from './faults.js'
import type { GatewayMachine } from './gateway-process.js'
import { Client, once, type Site } from './site.js'

const SECOND = 1000
const MINUTE = 60 * SECOND

/** The newest version that a machine of the site has. */
export const newestVersion = ({ machines }: Site): number =>
  Math.max(...machines.map(({ version }) => version))

/** Whether a start may be refused since a machine of a newer version has worked on the records. */
export const isOlder = ({ version, versions }: GatewayMachine, site: Site, error: unknown): boolean =>
  versions.isDamage(error) && error.kind === 'newer' && version < newestVersion(site)

/** One machine after the other gets the next version, as docs/upgrade.md says it, while the others go on. */
export async function upgrade(around: Surroundings): Promise<void> {
  const { site, world, host, chance } = around
  const version = newestVersion(site) + 1
  const { machines } = site
  const first = machines.indexOf(around.machine)
  for (const machine of [...machines.slice(first), ...machines.slice(0, first)]) {
    if (machines.length > 1 && chance.is(0.3)) await drain(machine, around)
    machine.version = Math.max(machine.version, version)
    // Somebody else works on the machine: it is started with the new version.
    if (!machine.isHeld && !machine.isDown) {
      if (chance.is(0.7)) await machine.stop()
      if (!machine.isDown) machine.kill(chance.is(0.5))
    }
    await world.sleep(host, chance.between(SECOND, chance.pick([10 * SECOND, 3 * MINUTE])))
  }
  site.observer.count('upgrades of all gateways')
}

async function drain(machine: GatewayMachine, { site, world, host, chance }: Surroundings): Promise<void> {
  const drained = await once(new Client(site, 'upgrader'), 'POST', `/nodes/node-${machine.number}/drain`)
  site.observer.count(`drained before an upgrade: ${drained?.status}`)
  await world.sleep(host, chance.between(0, MINUTE))
}

/** Somebody starts the version before by mistake, where a newer one has changed the records. */
export async function tryOlder({ machine, site, chance }: Surroundings): Promise<void> {
  const { version } = machine
  if (machine.isHeld || version === 0 || site.served < version) return
  machine.isHeld = true
  if (!machine.isDown) machine.kill(chance.is(0.5))
  machine.version = chance.below(version)
  const refused = await machine.start()
  const why = machine.versions.isDamage(refused) ? refused.kind : `${refused}`
  site.observer.count(`an older version is started: ${why}`)
  site.observer.require(
    refused !== undefined || site.served < version,
    'An older version refuses records that a newer one has changed.',
    () => `version ${machine.version}, after ${site.served}`,
  )
  // Meanwhile it may have got a newer one.
  machine.version = Math.max(machine.version, version)
  machine.isHeld = false
}
