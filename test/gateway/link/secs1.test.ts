import { expect, test } from 'vitest'
import type { WireRecord } from '../../../src/contract/topics/wire.js'
import { freePort } from '../../support/free-port.js'
import { LiveGateway, startSimulator } from '../../support/live-gateway.js'
import { LOOPBACK } from '../../support/tcp.js'
import { until } from '../../support/until.js'

test.each(['passive', 'active'] as const)(
  'equipment over SECS-I that is %s does not look different',
  async (mode) => {
    const live = await LiveGateway.open()
    const port = await freePort()
    const dialling = { role: 'active', host: LOOPBACK, port } as const
    const simulator = await startSimulator({ line: {}, ...(mode === 'active' && dialling) })
    const place = { port: mode === 'active' ? port : simulator.port, mode } as const
    const { id } = await live.connect({ ...place, transport: 'secs1-tcp' })
    const { gateway } = live

    const over = new AbortController()
    const records: WireRecord[] = []
    const following = (async () => {
      for await (const record of gateway.wires.follow(id, 10_000, over.signal)) records.push(record)
    })()

    const ids = Array.from({ length: 2_000 }, (_, at) => String(at + 1))
    const { result } = await gateway.messages.send(id, {
      stream: 1,
      function: 3,
      data: { SVID: ids },
    })
    expect(result.message.outcome).toBe('replied')
    expect(result.reply?.name).toContain('S1F4')
    const names = records.map((record) => ('name' in record ? record.name : record.kind))
    expect(names.filter((name) => name === 'block').length).toBeGreaterThan(20)
    expect(names).toEqual(
      expect.arrayContaining(['ENQ', 'EOT', 'ACK', 'S1F3 Selected Equipment Status Request']),
    )
    const { line } = await gateway.traffic.of(id)
    expect(line).toMatchObject({ retries: 0, naks_in: 0, naks_out: 0, unexpected: 0 })
    over.abort()
    await following

    expect(simulator.drop()).toBe(true)
    const state = async () => (await gateway.equipment.get(id)).communication_state
    await until(async () => (await state()) !== 'COMMUNICATING')
    await until(async () => (await state()) === 'COMMUNICATING')
    await gateway.equipment.disconnect(id)
    expect((await gateway.equipment.get(id)).connection_state).toBe('NOT_CONNECTED')
  },
)

test('equipment that does not answer ENQ is disconnected after RTY, with the reason', async () => {
  const live = await LiveGateway.open()
  const simulator = await startSimulator({ line: {} })
  const { id } = await live.connect({
    port: simulator.port,
    transport: 'secs1-tcp',
    rty: 1,
    timers: { t2: 0.1 },
  })
  simulator.faults.noise = { drop: 1 }
  const { gateway } = live
  const sent = gateway.messages.send(id, { stream: 1, function: 1 })
  await expect(sent).rejects.toMatchObject({ code: 'connection_lost' })
  const { last_error } = await gateway.equipment.get(id)
  expect(last_error).toMatchObject({
    code: 'retry_limit',
    detail: 'the peer does not answer ENQ, also after 1 retries (RTY)',
  })
})

test('HSMS equipment that is registered as SECS-I says so', async () => {
  const live = await LiveGateway.open()
  const port = await freePort()
  const { id } = await live.add({ port, mode: 'active', transport: 'secs1-tcp' })
  await live.gateway.equipment.connect(id, 0)
  await startSimulator({ role: 'active', host: LOOPBACK, port })
  // The simulator dials and sends Select.req.
  const failed = async () => (await live.gateway.equipment.get(id)).last_error?.code === 'not_secs1'
  await until(failed)
  expect((await live.gateway.equipment.get(id)).last_error?.detail).toBe('the peer speaks HSMS, not SECS-I')
})
