import { parse } from 'yaml'
import type { Gem300Mapping } from '../../src/contract/topics/gem300/mapping.js'
import { systemClock } from '../../src/kit/clock.js'
import { Simulator } from '../../src/simulator/simulator.js'
import { toolModel } from '../simulator/gem300/tool-variants.js'
import { LOOPBACK } from '../support/tcp.js'
import { until } from '../support/until.js'
import type { WebSite } from './web-site.js'

const CARRIER = 'FOUP-2026-000471'

/** A mapped 300 mm tool in the middle of a lot: wafers in all states, a second carrier that waits, and jobs in a queue. */
export async function toolInTheMiddle(site: WebSite, name: string): Promise<Simulator> {
  const place = { role: 'passive', host: LOOPBACK, port: 0, establishDelay: 100 } as const
  const simulator = new Simulator(toolModel('process_time: 1', 'move_time: 0.2'), place, {
    clock: systemClock,
  })
  await simulator.start()
  const { tool } = simulator
  if (!tool) throw new Error('no tool')
  const given = { name, ip_address: LOOPBACK, port: simulator.port }
  const { id } = await site.call<{ id: string }>('POST', '/equipment', given)
  const at = `/equipment/${id}`
  await site.call('POST', `${at}/connect?wait=30`)
  const mapping = await until(async () => {
    const { file } = await site.call<{ file: string }>('GET', `${at}/gem300/proposal?known=true`)
    const proposed = parse(file) as Gem300Mapping | null
    return proposed?.events?.length ? proposed : undefined
  })
  await site.call('PUT', `${at}/gem300`, mapping)
  await site.call('PUT', `${at}/reports`, await site.call<object>('GET', `${at}/gem300/reports`))
  const slots = ['DOUBLE_SLOTTED', 'CROSS_SLOTTED', 'EMPTY'] as const
  tool.load(
    1,
    CARRIER,
    Array.from({ length: 25 }, (_, slot) => slots[slot] ?? 'CORRECTLY_OCCUPIED'),
  )
  for (const seen of ['id_status', 'slot_map_status']) {
    await until(() =>
      [...tool.ports.carriers.values()].some(({ idStatus, slotMapStatus }) =>
        [seen === 'id_status' ? idStatus.state : slotMapStatus.state].includes('WAITING_FOR_HOST'),
      ),
    )
    await site.call('POST', `${at}/carriers`, { command: 'proceed', carrier_id: CARRIER, port: 1 })
  }
  for (const [job, slot] of [
    ['PJ-LOT-2026-4711-OXIDE', [4, 5, 6, 7, 8]],
    ['PJ-2', [9, 10]],
  ] as const) {
    const carriers = [{ carrier_id: CARRIER, slots: slot }]
    await site.call('POST', `${at}/jobs`, { job_id: job, recipe: 'OXIDE-ETCH-01', carriers })
    const control = { job_id: `CJ-${job}`, process_jobs: [job], carriers: [CARRIER] }
    await site.call('POST', `${at}/control-jobs`, control)
  }
  tool.load(2, 'FOUP8')
  await until(() =>
    [...tool.cluster.substrates.values()].some(({ processing }) => processing.state === 'PROCESSED'),
  )
  tool.operate('pause')
  return simulator
}
