import { expect, onTestFinished, test } from 'vitest'
import type { WireRecord } from '../../../src/contract/topics/wire.js'
import { Listeners } from '../../../src/hsms/tcp/listener.js'
import { systemClock } from '../../../src/kit/clock.js'
import { Secs1Driver } from '../../../src/secs1/secs1-driver.js'
import { SECS1_DEFAULTS } from '../../../src/secs1/settings.js'
import { encodeBody } from '../../../src/secs2/encode.js'
import { A, B, L, U4 } from '../../../src/secs2/item.js'
import { freePort } from '../../support/free-port.js'
import { LiveGateway, startSimulator } from '../../support/live-gateway.js'
import { ManualClock } from '../../support/manual-clock.js'
import { LOOPBACK, rawServer } from '../../support/tcp.js'
import { until, untilLater } from '../../support/until.js'

test.each(['passive', 'active'] as const)(
  'equipment over SECS-I that is %s does not look different',
  async (mode) => {
    const live = await LiveGateway.open()
    const port = await freePort()
    const dialling = { role: 'active', host: LOOPBACK, port } as const
    // Nobody repeats a block only because the machine is busy.
    const patient = { t1: 10, t2: 25 } as const
    const simulator = await startSimulator({
      line: {},
      timers: { t1: 10_000, t2: 25_000, t5: 100 },
      ...(mode === 'active' && dialling),
    })
    const place = { port: mode === 'active' ? port : simulator.port, mode, timers: patient } as const
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
  const clock = new ManualClock()
  const live = await LiveGateway.open({ clock })
  const simulator = await startSimulator({ line: {} })
  const { id } = await live.connect({ port: simulator.port, transport: 'secs1-tcp', rty: 1 })
  simulator.faults.noise = { drop: 1 }
  const { gateway } = live
  const refusal = gateway.messages.send(id, { stream: 1, function: 1 }).catch((error: unknown) => error)
  await untilLater(clock, async () => (await gateway.equipment.get(id)).last_error !== null, 500)
  expect(await refusal).toMatchObject({ code: 'connection_lost' })
  const { last_error } = await gateway.equipment.get(id)
  expect(last_error).toMatchObject({
    code: 'retry_limit',
    detail: 'the peer does not respond to ENQ, also after 1 retries (RTY)',
  })
  delete simulator.faults.noise
  await untilLater(
    clock,
    async () => (await gateway.equipment.get(id)).communication_state === 'COMMUNICATING',
  )
  expect(await gateway.equipment.get(id)).toMatchObject({
    health: 'degraded',
    health_reason: 'in the last 15 minutes: a block was not taken after RTY retries once',
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

test('HSMS equipment that waits at an address which is registered as SECS-I says so, until it is another one', async () => {
  const simulator = await startSimulator()
  const live = await LiveGateway.open()
  const timers = { t2: 0.1, t5: 1 }
  const { id } = await live.add({ port: simulator.port, transport: 'secs1-tcp', rty: 0, timers })
  await live.gateway.equipment.connect(id, 0)
  const lastError = async () => (await live.gateway.equipment.get(id)).last_error
  await until(async () => (await lastError())?.code === 'not_secs1')
  expect((await lastError())?.detail).toContain('the peer speaks HSMS, not SECS-I')
  const { at = '' } = (await lastError()) ?? {}
  // The next connection ends in the same way.
  await until(async () => ((await lastError())?.at ?? '') > at)
  expect((await lastError())?.code).toBe('not_secs1')
})

test.each(['secs1-tcp', 'hsms'] as const)(
  'equipment with another device ID than it is registered with says so over %s',
  async (transport) => {
    const line = transport === 'hsms' ? {} : { line: {} }
    const simulator = await startSimulator({ ...line, deviceId: 3 })
    const live = await LiveGateway.open()
    const { id } = await live.add({ port: simulator.port, transport, timers: { t3: 0.5 } })
    await live.gateway.equipment.connect(id, 0)
    const lastError = async () => (await live.gateway.equipment.get(id)).last_error
    // A busy machine may have taken longer than T3 for the first reply.
    await until(async () => (await lastError())?.code === 'wrong_device_id')
    expect(await lastError()).toMatchObject({
      code: 'wrong_device_id',
      detail: expect.stringContaining('it speaks as device ID 3, not 0: set its device_id (--device-id 3)'),
    })
  },
)

test('silence on a line that changes bytes is not taken for another device ID', async () => {
  const [ENQ, EOT, ACK, NAK] = [0x05, 0x04, 0x06, 0x15]
  let blocks = 0
  const { port } = await rawServer((socket) => {
    socket.on('data', (bytes) => {
      if (bytes[0] !== ENQ) blocks += 1
      socket.write(Buffer.of(bytes[0] === ENQ ? EOT : blocks % 3 === 0 ? ACK : NAK))
    })
  })
  const live = await LiveGateway.open()
  const { id } = await live.add({ port, transport: 'secs1-tcp', timers: { t3: 0.2, establish: 0.1 } })
  await live.gateway.equipment.connect(id, 0)
  const known = () => live.gateway.equipment.get(id)
  await until(async () => (await known()).last_error?.code === 'line_noise')
  expect((await known()).last_error?.detail).toContain('(NAK)')
  const sent = live.gateway.messages.send(id, { stream: 1, function: 13, data: {} })
  await expect(sent).rejects.toThrow(/line changes or loses bytes/)
  await expect(sent).rejects.not.toThrow(/another device ID/)
})

test('commands, alarms and T3 work over SECS-I as over HSMS', async () => {
  const clock = new ManualClock()
  const live = await LiveGateway.open({ clock })
  const simulator = await startSimulator({ line: {} })
  const { id } = await live.connect({ port: simulator.port, transport: 'secs1-tcp' })
  const { messages, alarms, equipment } = live.gateway

  const { result } = await messages.send(id, { stream: 2, function: 41, data: { RCMD: 'START', PARAMS: [] } })
  expect(result.reply?.name).toContain('S2F42')
  void simulator.equipment.changeAlarm('1', true)
  await until(async () => (await alarms.list({})).items.some(({ alid, active }) => alid === '1' && active))

  simulator.faults.silent = true
  const arrived = new Promise<void>((resolve) =>
    simulator.log.on(({ direction, stream, function: fn }) => {
      if (direction === 'received' && stream === 1 && fn === 1) resolve()
    }),
  )
  const unanswered = messages.send(id, { stream: 1, function: 1 }).catch((error: unknown) => error)
  await arrived
  await untilLater(clock, async () => (await equipment.get(id)).responsiveness.t3_timeouts > 0, 500)
  expect(await unanswered).toMatchObject({ code: 'reply_timeout' })
  expect((await equipment.get(id)).connection_state).toBe('SELECTED')
})

test('an event report of 20 KB comes as one message and is acknowledged', async () => {
  const live = await LiveGateway.open()
  const settings = { ...SECS1_DEFAULTS, role: 'passive', host: LOOPBACK, port: 0, deviceId: 0 } as const
  const world = { clock: systemClock, listeners: new Listeners() }
  const tool = new Secs1Driver({ ...settings, side: 'equipment', isMaster: true }, world)
  onTestFinished(() => tool.stop())
  tool.received.on(({ message }) => {
    if (message.stream !== 1 || message.function !== 13) return
    const body = encodeBody(L(B(0), L(A('PROBER'), A('1'))))
    tool.send({ ...message, function: 14, wait: false, body })
  })
  await tool.start()
  const { id } = await live.connect({ port: tool.boundPort ?? 0, transport: 'secs1-tcp' })

  const text = 'x'.repeat(20_000)
  const report = L(U4(1), U4(7), L(L(U4(1), L(A(text)))))
  const systemBytes = tool.reserve() ?? 0
  const primary = { sessionId: 0, stream: 6, function: 11, wait: true, systemBytes, body: encodeBody(report) }
  expect(await tool.request(primary)).toMatchObject({ kind: 'replied' })
  const carrying = (await live.events()).filter((event) => JSON.stringify(event).includes(text))
  expect(carrying.map(({ equipment_id }) => equipment_id)).toEqual([id])
})
