import { onTestFinished } from 'vitest'
import { parse } from 'yaml'
import type { Gem300Mapping } from '../../../src/contract/topics/gem300/mapping.js'
import type { EquipmentObjects } from '../../../src/gateway/gem300/view/equipment-objects.js'
import { OBJECT_KINDS } from '../../../src/gem300/object-states.js'
import { systemClock } from '../../../src/kit/clock.js'
import { Simulator } from '../../../src/simulator/simulator.js'
import { toolModel } from '../../simulator/gem300/tool-variants.js'
import { callsOf, LiveGateway } from '../../support/live-gateway.js'
import { LOOPBACK } from '../../support/tcp.js'
import { until } from '../../support/until.js'

/** What a site says of a tool with these settings, beside what its names say. */
export function settingsFor(variants: readonly string[]): NonNullable<Gem300Mapping['settings']> {
  const has = (variant: string): boolean => variants.includes(variant)
  return {
    ...(has('substrate_numbers: one_based') && {
      substrate: 'one_based',
      substrate_processing: 'one_based',
    }),
    ...(has('slot_codes: present') && { slots: 'present' }),
    ...(has('port_type: Port') && { port_type: 'Port' }),
    ...(has('objspec: ControlJob') && { create_specifier: 'ControlJob' }),
    ...(has('job_creation: S16F11') && { job_creation: 'S16F11' as const }),
  }
}

/** A simulated tool on a socket, mapped by the proposal from its names, with the reports that this needs. */
export async function mappedTool(...variants: readonly string[]) {
  const live = await LiveGateway.open()
  const options = {
    role: 'passive' as const,
    host: LOOPBACK,
    port: 0,
    establishDelay: 100,
    timers: { t5: 100 },
  }
  const simulator = new Simulator(toolModel(...variants), options, { clock: systemClock })
  onTestFinished(() => simulator.stop())
  await simulator.start()
  const { tool } = simulator
  if (!tool) throw new Error('no tool')
  const { id } = await live.connect({ port: simulator.port, name: 'etcher', gem_startup: true })
  const call = () => callsOf(live.gateway)
  await until(async () => live.gateway.naming.of(id).hasWhole('S1F23'))
  const { file } = await call().proposeGem300({ id })
  const mapping = { ...(parse(file) as Gem300Mapping), settings: settingsFor(variants) }
  await call().applyGem300({ id }, { body: mapping })
  await call().applyReports({ id }, { body: await call().gem300Reports({ id }) })
  return { live, simulator, tool, id, call, mapping, file }
}

/** From the carrier on the port to its job's end, by commands of the gateway. */
export async function aLot({ tool, call, id }: Awaited<ReturnType<typeof mappedTool>>) {
  const isWaiting = () =>
    [...tool.ports.carriers.values()].filter(({ idStatus, slotMapStatus }) =>
      [idStatus.state, slotMapStatus.state].includes('WAITING_FOR_HOST'),
    )
  tool.load(1, 'FOUP7')
  for (let n = 0; n < 2; n++) {
    await until(() => isWaiting().length > 0)
    await call().commandCarrier({ id }, { body: { command: 'proceed', carrier_id: 'FOUP7', port: 1 } })
  }
  const carriers = [{ carrier_id: 'FOUP7', slots: [] }]
  const job = { job_id: 'PJ-1', recipe: 'OXIDE-ETCH-01', carriers }
  const created = await call().createProcessJob({ id }, { body: job })
  const control = { job_id: 'CJ-1', process_jobs: ['PJ-1'], carriers: ['FOUP7'] }
  const begun = await call().createControlJob({ id }, { body: control })
  if (!created.accepted || !begun.accepted) throw new Error('a job is refused')
  await until(() => tool.ports.port(1)?.transfer.state === 'READY_TO_UNLOAD')
}

/** `kind id state` of all objects, as the gateway knows them. */
export function knownStates(objects: EquipmentObjects, id: string): ReadonlyMap<string, string> {
  return new Map(
    OBJECT_KINDS.flatMap((kind) =>
      objects
        .of(id)
        .list(kind)
        .flatMap((one) =>
          Object.entries(one.states).map(
            ([name, { state }]) => [`${kind} ${one.id} ${name}`, state] as const,
          ),
        ),
    ),
  )
}
