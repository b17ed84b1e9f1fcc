import { isDeepStrictEqual } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/kit/clock.js'
import { ControlDesk } from '../../src/simulator/control/control-desk.js'
import { shippedModel } from '../../src/simulator/shipped-models.js'
import { Simulator } from '../../src/simulator/simulator.js'
import { LiveGateway } from '../support/live-gateway.js'
import { LOOPBACK } from '../support/tcp.js'
import { until } from '../support/until.js'

/** The track, which spools S5F1 and S6F11, registered as a gateway registers by default. */
async function track() {
  const model = shippedModel('track')
  if (!model) throw new Error('there is no such model')
  const simulator = new Simulator(
    model,
    { role: 'passive', host: LOOPBACK, port: 0, establishDelay: 100 },
    { clock: systemClock },
  )
  onTestFinished(() => simulator.stop())
  await simulator.start()
  const live = await LiveGateway.open()
  const { id } = await live.connect({ port: simulator.port, gem_startup: true })
  return { live, id, simulator, desk: new ControlDesk(simulator) }
}

interface Passed {
  readonly direction?: string
  readonly stream?: number
  readonly function?: number
  readonly data?: Readonly<Record<string, unknown>> | null
}

/** What a received report is about; undefined for everything else. */
function reported({ direction, stream, function: fn, data }: Passed): string | undefined {
  if (direction !== 'received') return undefined
  if (stream === 5 && fn === 1) return `ALID ${String(data?.['ALID'])}`
  return stream === 6 && fn === 11 ? `CEID ${String(data?.['CEID'])}` : undefined
}

test('what happened while nobody was connected is asked for, and recorded in its order', async () => {
  const { live, id, simulator, desk } = await track()
  const spooled = () => simulator.equipment.value('106')
  // The first round of questions ends with that for the alarms.
  await live.event(({ data }) => data['stream'] === 5 && data['function'] === 6)
  await live.gateway.equipment.disconnect(id)
  await until(() => simulator.connectionState !== 'SELECTED' || undefined)
  const cut = (await live.events()).at(-1)?.id ?? '0'
  for (const told of ['event 1010', 'alarm 502 set', 'event 1011']) {
    expect(await desk.run(told)).toMatchObject({ ok: true })
  }
  expect(spooled()).toEqual({ U4: [4] })

  await live.gateway.equipment.connect(id, 30)
  await until(() => isDeepStrictEqual(spooled(), { U4: [0] }) || undefined)
  await live.event(({ data }) => reported(data as Passed) === 'CEID 1021')
  const since = (await live.events()).filter((event) => Number(event.id) > Number(cut))
  const reports = since.map(({ data }) => reported(data as Passed)).filter((what) => what !== undefined)
  expect(reports).toEqual(['CEID 1020', 'CEID 1010', 'ALID 502', 'CEID 1011', 'CEID 1021'])
  const marked = since
    .filter(({ data }) => data['may_be_spooled'] === true)
    .map(({ data }) => reported(data as Passed))
  expect(marked.slice(0, 4)).toEqual(reports.slice(0, 4))
  expect((await live.gateway.alarms.list({})).items).toMatchObject([{ alid: '502', active: true, count: 1 }])
})
