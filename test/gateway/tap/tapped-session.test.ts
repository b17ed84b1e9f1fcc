import { type AddressInfo, connect, createServer } from 'node:net'
import { L, U4 } from 'secs4js'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Message, NewMessage } from '../../../src/contract/topics/messages.js'
import type { WantedReports } from '../../../src/contract/topics/reports.js'
import { systemClock } from '../../../src/kit/clock.js'
import { shippedModel } from '../../../src/simulator/shipped-models.js'
import { Simulator, type SimulatorOptions } from '../../../src/simulator/simulator.js'
import { Unsettled } from '../../../src/store/failure.js'
import { LocalTap } from '../../../src/tap/tcp/local-tap.js'
import { type ForeignHost, startForeignHost } from '../../foreign/foreign-host.js'
import { freePort } from '../../support/free-port.js'
import { dataBytes } from '../../support/hsms-wire.js'
import { callsOf, LiveGateway } from '../../support/live-gateway.js'
import { LOOPBACK, RawPeer, rawServer } from '../../support/tcp.js'
import { until } from '../../support/until.js'

const DEVICE = 3

async function etcher(given: Partial<SimulatorOptions> = {}): Promise<Simulator> {
  const model = shippedModel('etcher')
  if (!model) throw new Error('the etcher is missing')
  const place = { role: 'passive', host: LOOPBACK, port: 0, deviceId: DEVICE, establishDelay: 100 } as const
  const simulator = new Simulator(model, { ...place, ...given }, { clock: systemClock })
  onTestFinished(() => simulator.stop())
  await simulator.start()
  return simulator
}

/** A gateway with a tap in front of the etcher. The host has not connected yet. */
async function tapped(tap: object = {}) {
  const live = await LiveGateway.open()
  const simulator = await etcher()
  const listen_port = await freePort()
  const given = { host_address: LOOPBACK, listen_port, pause_seconds: 0, ...tap }
  const { id } = await live.add({ port: simulator.port, gem_startup: true, tap: given })
  await live.gateway.equipment.connect(id, 0)
  return { live, simulator, id, listen_port, calls: callsOf(live.gateway) }
}

async function withHost(tap: object = {}, t5?: number) {
  const scene = await tapped(tap)
  return { ...scene, host: await hostOf(scene, t5) }
}

/** A foreign host that has established communication through the tap. `t5`: seconds until it dials again. */
async function hostOf(scene: Awaited<ReturnType<typeof tapped>>, t5?: number): Promise<ForeignHost> {
  const host = await startForeignHost({ port: scene.listen_port, deviceId: DEVICE, ...(t5 && { t5 }) })
  onTestFinished(() => host.stop())
  await until(() => host.received.some(({ stream, function: fn }) => stream === 1 && fn === 13))
  await host.establish()
  await until(() => seen(scene).communication_state === 'COMMUNICATING')
  return host
}

const seen = ({ live, id }: Pick<Awaited<ReturnType<typeof tapped>>, 'live' | 'id'>) => {
  const known = live.gateway.equipment.known(id)
  if (!known) throw new Error('it is not known')
  return known
}

async function messages(
  { calls, id }: Pick<Awaited<ReturnType<typeof tapped>>, 'calls' | 'id'>,
  query: object = {},
) {
  const { items } = await calls.listMessages(
    {},
    { query: { equipment_id: [id], order: 'asc', limit: 1000, ...query } },
  )
  return items
}
const short = ({ from, to, stream, function: fn }: Message): string => `${from} ${to} S${stream}F${fn}`

async function runLot(host: ForeignHost): Promise<void> {
  await host.command('START', 'LOT-5')
  await until(() => host.received.some(({ stream }) => stream === 6))
}

test('a lot of its own host is recorded in both directions, with names, outcomes and states', async () => {
  const scene = await withHost()
  const { host } = scene
  await host.peer.request(1, 11, L())
  await host.peer.request(1, 23, L())
  await host.peer.request(1, 3, L(U4(1002)))
  await runLot(host)
  const all = await until(async () => {
    const found = await messages(scene)
    return found.some(({ stream, function: fn }) => stream === 6 && fn === 12) ? found : undefined
  })
  const started = all.find(({ stream, function: fn }) => stream === 2 && fn === 41)
  const reply = all.find(({ stream, function: fn }) => stream === 2 && fn === 42)
  expect(started).toMatchObject({
    ...{ from: 'host', to: 'equipment', direction: 'sent', sent_by: null, outcome: 'replied' },
    ...{ reply_id: reply?.id, latency_ms: expect.any(Number), session_id: DEVICE },
  })
  expect(reply).toMatchObject({ from: 'equipment', to: 'host', reply_to: started?.id })
  const event = all.find(({ stream, function: fn }) => stream === 6 && fn === 11)
  expect(event).toMatchObject({ from: 'equipment', to: 'host', outcome: 'replied' })
  expect(all.find(({ reply_to }) => reply_to === event?.id)).toMatchObject({ from: 'host', function: 12 })
  expect(event?.collection_event).toMatchObject({ ceid: '3010', name: 'ProcessingStarted' })
  expect(seen(scene)).toMatchObject({
    connection_state: 'SELECTED',
    control_state: 'ONLINE_REMOTE',
    model: { mdln: 'ETCHER' },
    health: 'ok',
  })
  expect((await messages(scene, { from_side: 'gateway' })).map(short)).toEqual([])
})

test('clients get short questions replied beside the host, which sees nothing of them', async () => {
  const scene = await withHost()
  const { calls, id, host } = scene
  const { items } = await calls.readVariables({ id }, { query: { id: ['1002'] } })
  expect(items).toMatchObject([{ id: '1002' }])
  const before = host.received.length
  await calls.getClock({ id })
  expect(host.received.slice(before)).toEqual([])
  expect((await messages(scene, { from_side: 'gateway' })).map(short)).toEqual([
    'gateway equipment S1F3',
    'gateway equipment S2F17',
  ])
  expect((await messages(scene, { to_side: 'gateway' })).map(short)).toEqual([
    'equipment gateway S1F4',
    'equipment gateway S2F18',
  ])
  await host.areYouThere()
})

test.each<[tap: object, given: NewMessage, refused: string | undefined]>([
  [{}, { sml: 'S1F1 W.' }, undefined],
  [{}, { sml: 'S1F3 W <L>.' }, 'tap.reads'],
  [{}, { sml: 'S1F11 W <L>.' }, 'tap.reads'],
  [{}, { sml: 'S2F15 W <L>.' }, 'tap.writes'],
  [{}, { sml: 'S1F13 W <L>.' }, 'tap.writes'],
  [{ reads: 'all' }, { sml: 'S1F11 W <L>.' }, undefined],
  [{ reads: 'all' }, { sml: 'S2F31 W <A "2026010100000000">.' }, 'tap.writes'],
  [{ writes: true }, { sml: 'S2F15 W <L>.' }, undefined],
])('with a tap of %j, %j is refused by %s', async (tap, body, refused) => {
  const { calls, id } = await withHost(tap)
  const sent = calls.sendMessage({ id }, { body })
  if (refused === undefined) return expect((await sent).reply).not.toBeNull()
  await expect(sent).rejects.toMatchObject({
    code: 'tapped_read_only',
    message: expect.stringContaining(refused),
  })
})

test('names are known once the host has asked for them, or where the gateway may ask', async () => {
  const short = await withHost()
  const named = ({ calls, id }: Pick<typeof short, 'calls' | 'id'>) =>
    calls.readVariables({ id }, { query: { id: ['ControlState'] } })
  await expect(named(short)).rejects.toMatchObject({
    code: 'tapped_read_only',
    message: expect.stringMatching(/ControlState.*S1F11.*--tap-reads all/),
  })
  await short.host.peer.request(1, 11, L())
  const { items } = await until(() => named(short).catch(() => undefined))
  expect(items).toMatchObject([{ id: '1002' }])
  const all = await withHost({ reads: 'all' })
  expect((await named(all)).items).toMatchObject([{ id: '1002' }])
})

test('definitions of the host are taken by hand, name what has come already, and give way to the line', async () => {
  const scene = await withHost()
  const { calls, id, host, simulator } = scene
  await host.peer.request(1, 11, L())
  await runLot(host)
  const event = async () =>
    (await messages(scene, { stream: 6, function: 11 })).find(({ collection_event }) => collection_event)
  const before = await until(event)
  const [raw] = before.collection_event?.reports ?? []
  expect(raw).toMatchObject({ detail: expect.stringMatching(/not known until the host defines it again/) })
  expect(raw?.values.every(({ vid, value }) => vid === null && value !== undefined)).toBe(true)
  const variables = (raw?.values ?? []).map((_, at) => String(1001 + at))
  const { rptid = '' } = raw ?? {}
  const body = {
    reports: [{ id: Number(rptid), variables: [...variables.slice(0, -1), 'ControlState'] }],
    events: [{ event: 3010, reports: [Number(rptid)] }],
  }
  const given = await calls.observeReports({ id }, { body })
  expect(given.reports.find((one) => one.id === rptid)).toMatchObject({
    origin: 'by_hand',
    names: expect.any(Array),
  })
  const after = (await event())?.collection_event?.reports[0]
  expect(after).toMatchObject({
    rptid,
    values: expect.arrayContaining([expect.objectContaining({ vid: '1002' })]),
  })
  expect(after?.detail).toBeUndefined()
  const sentByGateway = await messages(scene, { from_side: 'gateway' })
  expect(sentByGateway).toEqual([])

  await host.peer.request(2, 33, L(U4(1), L()))
  await until(async () => (await calls.getReports({ id })).of_host?.reports.length === 0)
  await host.peer.request(2, 33, L(U4(1), L(L(U4(Number(rptid)), L(U4(1002))))))
  const known = await until(async () => {
    const { of_host } = await calls.getReports({ id })
    return of_host?.reports.find((one) => one.id === rptid && one.origin === 'line')
  })
  expect(known.variables).toEqual(['1002'])
  expect(simulator.equipment.communicationState).toBe('COMMUNICATING')
})

test('definitions by hand that cannot be are refused, also for equipment without a tap', async () => {
  const { live, calls, id } = await withHost()
  const observe = (body: WantedReports) => calls.observeReports({ id }, { body })
  await expect(observe({ reports: [], events: [] })).rejects.toMatchObject({ code: 'invalid_message' })
  await expect(observe({ reports: [{ id: 5, variables: ['Nowhere'] }], events: [] })).rejects.toMatchObject({
    code: 'invalid_message',
    message: expect.stringContaining('Nowhere'),
  })
  const other = await live.add({ port: 1 })
  const body = { reports: [{ id: 5, variables: [1] }], events: [] }
  await expect(calls.observeReports({ id: other.id }, { body })).rejects.toMatchObject({ code: 'not_tapped' })
  expect((await calls.getReports({ id: other.id })).of_host).toBeUndefined()
})

test('nothing is sent before the host has established communication, nor replied by a lease', async () => {
  const scene = await tapped({ writes: true })
  const { calls, id } = scene
  const sent = () => calls.sendMessage({ id }, { body: { sml: 'S1F1 W.' } })
  await expect(sent()).rejects.toMatchObject({ code: 'equipment_not_connected' })
  expect(seen(scene)).toMatchObject({
    connection_state: 'LISTENING',
    communication_state: 'NOT_COMMUNICATING',
  })
  const body = { run: 'r', for_seconds: 60, replies: { S6F11: 'none' } }
  await expect(calls.setReplies({ id }, { body })).rejects.toMatchObject({ code: 'tapped_read_only' })
})

test('an alarm is on the board, and one that its host finds cleared is not any more', async () => {
  const scene = await withHost()
  const { simulator, calls, id } = scene
  await simulator.equipment.changeAlarm('4002', true)
  const alarms = async () =>
    (await calls.listAlarms({}, { query: { equipment_id: [id], active: true } })).items
  await until(async () => (await alarms()).some(({ alid }) => alid === '4002'))
  await simulator.equipment.changeAlarm('4002', false)
  await until(async () => (await alarms()).length === 0)
})

test('when the host goes, the states say so, and it may come again', async () => {
  const scene = await withHost()
  await scene.host.stop()
  await until(() => seen(scene).connection_state === 'LISTENING')
  expect(seen(scene)).toMatchObject({ communication_state: 'NOT_COMMUNICATING', control_state: 'UNKNOWN' })
  await hostOf(scene)
})

test('the record tells who may be missing: nobody dials, a stranger does, the equipment does not take it', async () => {
  const scene = await tapped({ host_address: '127.0.0.2' })
  const { simulator, listen_port, id, live } = scene
  expect(seen(scene).tap_link).toMatchObject({ state: 'waiting', host: null, refused: 0, last_refused: null })
  expect(seen(scene)).toMatchObject({
    health: 'degraded',
    health_reason: expect.stringContaining('127.0.0.2'),
  })
  const dial = (localAddress: string) => {
    const socket = connect({ host: LOOPBACK, port: listen_port, localAddress })
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => {})
  }
  dial(LOOPBACK)
  await until(() => seen(scene).tap_link?.refused === 1)
  expect(seen(scene)).toMatchObject({
    tap_link: { state: 'waiting', last_refused: { address: LOOPBACK, reason: 'stranger' } },
    // That a stranger was refused is no fault of the equipment.
    last_error: null,
    health: 'degraded',
    health_reason: expect.stringContaining('127.0.0.2 is not connected'),
  })
  dial('127.0.0.2')
  await until(() => seen(scene).tap_link?.state === 'connected')
  expect(seen(scene).tap_link?.host).toContain('127.0.0.2:')
  const { last_error } = seen(scene)
  dial(LOOPBACK)
  await until(() => seen(scene).tap_link?.refused === 2)
  // Somebody who looks for open ports says nothing about a link that is up.
  expect(seen(scene).last_error).toEqual(last_error)
  await simulator.stop()
  await until(() => seen(scene).tap_link?.state === 'waiting')
  dial('127.0.0.2')
  await until(() => seen(scene).tap_link?.state === 'unreached')
  await live.gateway.equipment.disconnect(id)
  expect(seen(scene).tap_link).toMatchObject({ state: 'closed', refused: 2 })
})

test('while the host is away, a call says that the tap waits for it', async () => {
  const scene = await tapped({ host_address: '127.0.0.2' })
  const { calls, id, listen_port } = scene
  const refusal = await calls.readVariables({ id }, { query: { id: ['1002'] } }).catch((error) => error)
  expect(refusal).toMatchObject({
    code: 'equipment_not_connected',
    message: expect.stringMatching(new RegExp(`Nobody has dialled port ${listen_port} .* 127\\.0\\.0\\.2`)),
    extra: { next: [{ operation: 'getEquipment' }] },
  })
  expect(refusal.message).not.toContain('Connect it first')
  await calls.disconnectEquipment({ id })
  await expect(calls.readVariables({ id }, { query: { id: ['1002'] } })).rejects.toMatchObject({
    message: expect.stringContaining('Connect it first'),
  })
})

test('when another connection of the host takes over, the events say so', async () => {
  // The first one does not take over in its turn.
  const scene = await withHost({}, 600)
  const second = await hostOf(scene)
  const events = await until(async () => {
    const all = (await scene.live.events({ type: ['connection'] })).filter(({ name }) => name !== 'tap_gap')
    return all.some(({ data }) => String(data['cause']).includes('took over')) ? all : undefined
  })
  const [over] = events.filter(({ data }) => data['from'] === 'SELECTED')
  expect(over?.data).toMatchObject({
    cause: `another connection of the host (${LOOPBACK}) took over`,
    error: { code: 'connection_lost', detail: expect.stringContaining('took over') },
  })
  await second.areYouThere()
  // One that ends by itself is no such thing.
  await second.stop()
  await until(() => seen(scene).connection_state === 'LISTENING')
  const last = (await scene.live.events({ type: ['connection'] })).filter(
    ({ data }) => data['to'] === 'LISTENING',
  )
  expect(last.filter(({ data }) => String(data['cause']).includes('took over'))).toHaveLength(1)
})

test('a disconnection ends both connections, and the gateway is the host without a tap', async () => {
  const scene = await withHost()
  const { live, id, calls, host } = scene
  await calls.disconnectEquipment({ id })
  expect(seen(scene)).toMatchObject({ connection_state: 'NOT_CONNECTED', communication_state: 'DISABLED' })
  await host.stop()
  await live.gateway.equipment.update(id, { tap: null, device_id: DEVICE })
  const direct = await live.gateway.equipment.connect(id, 30)
  expect(direct.communication_state).toBe('COMMUNICATING')
})

test('messages that the store does not take are counted, told as a gap, and do not stop the line', async () => {
  const scene = await withHost()
  const { live, host, id } = scene
  const append = live.journal.appendAll.bind(live.journal)
  live.journal.appendAll = async () => {
    throw new Error('no room')
  }
  await host.areYouThere()
  await host.areYouThere()
  live.journal.appendAll = append
  const gap = await live.event(({ name }) => name === 'tap_gap')
  expect(gap).toMatchObject({ equipment_id: id, data: { messages: 4 } })
  expect(seen(scene)).toMatchObject({ health: 'degraded', health_reason: expect.stringContaining('4') })
  expect(await scene.calls.getTraffic({ id })).toMatchObject({ unrecorded: 4 })
})

test('what the store does not take is the tap to remember until a gap names it', async () => {
  const scene = await withHost()
  const { live, host } = scene
  const recorded = vi.spyOn(LocalTap.prototype, 'recorded')
  onTestFinished(() => recorded.mockRestore())
  const forgotten = (): number =>
    recorded.mock.calls.reduce((sum, call: readonly unknown[]) => sum + Number(call[0]), 0)
  await host.areYouThere()
  await until(() => forgotten() === 2)
  const { append, appendAll } = live.journal
  const refuse = async (): Promise<never> => {
    throw new Error('no room')
  }
  Object.assign(live.journal, { append: refuse, appendAll: refuse })
  await host.areYouThere()
  await until(() => seen(scene).health === 'degraded')
  await host.areYouThere()
  expect(forgotten()).toBe(2)
  Object.assign(live.journal, { append, appendAll })
  await live.event(({ name }) => name === 'tap_gap')
  await until(() => forgotten() === 6)
})

test('what a slow store takes late is recorded and not counted; a gap that it takes late is told once', async () => {
  const scene = await withHost()
  const { live, host, calls, id } = scene
  const { journal } = live
  const append = journal.appendAll.bind(journal)
  const late: (() => void)[] = []
  const slow: typeof append = (entries) => {
    const settled = new Promise<void>((resolve) => late.push(resolve)).then(() => append(entries))
    return Promise.reject(new Unsettled(new Error('the disk is slow'), settled))
  }
  const taken = (): void => {
    journal.appendAll = append
    for (const one of late.splice(0)) one()
  }
  journal.appendAll = slow
  await host.areYouThere()
  expect(late.length).toBeGreaterThan(0)
  taken()
  const asked = await until(async () => (await messages(scene, { stream: 1, function: 1 }))[0])
  expect(asked).toMatchObject({ from: 'host', outcome: 'replied', reply_id: expect.any(String) })
  expect(await calls.getTraffic({ id })).toMatchObject({ unrecorded: 0 })

  const missed = async (): Promise<number> =>
    (await live.events()).reduce(
      (sum, { name, data }) => sum + (name === 'tap_gap' ? Number(data['messages']) : 0),
      0,
    )
  const refuse: typeof append = async () => {
    throw new Error('no room')
  }
  journal.appendAll = refuse
  await host.areYouThere()
  journal.appendAll = slow
  await until(() => late.length > 0)
  taken()
  await until(async () => (await missed()) === 2)
  journal.appendAll = refuse
  await host.areYouThere()
  journal.appendAll = append
  await until(async () => (await missed()) > 2)
  expect(await missed()).toBe(4)
})

test('a takeover is a lost link for both sides, which the next one takes up', async () => {
  const scene = await withHost()
  const { live, id, simulator } = scene
  await live.gateway.equipment.give([id], false)
  await until(() => simulator.equipment.communicationState !== 'COMMUNICATING')
  await scene.host.stop()
  expect(seen(scene).connection_state).toBe('NOT_CONNECTED')
  await live.gateway.equipment.take([id])
  await until(() => seen(scene).connection_state === 'LISTENING')
  await hostOf(scene)
})

test('equipment that dials its host dials the gateway, which dials the host', async () => {
  const live = await LiveGateway.open()
  const host = await startForeignHost({ role: 'passive', deviceId: DEVICE })
  onTestFinished(() => host.stop())
  const port = await freePort()
  const tap = { host_address: LOOPBACK, host_port: host.port, pause_seconds: 0 }
  const { id } = await live.add({ port, mode: 'active', tap })
  await live.gateway.equipment.connect(id, 0)
  await etcher({ role: 'active', port })
  await until(() => live.gateway.equipment.known(id)?.communication_state === 'COMMUNICATING')
  expect(live.gateway.equipment.known(id)).toMatchObject({ model: { mdln: 'ETCHER' } })
})

test('a reply before its primary is on disk is linked to it, and what came later stays later', async () => {
  const scene = await withHost()
  const { live, host } = scene
  live.journal.hold()
  await host.areYouThere()
  await host.peer.request(1, 3, L(U4(1002)))
  live.journal.release()
  const all = await until(async () => {
    const found = (await messages(scene, { stream: 1 })).filter(({ function: fn }) => fn < 10)
    return found.length >= 4 ? found : undefined
  })
  expect(all.map(short)).toEqual([
    'host equipment S1F1',
    'equipment host S1F2',
    'host equipment S1F3',
    'equipment host S1F4',
  ])
  expect(all.map(({ outcome, reply_to }) => outcome ?? reply_to)).toEqual([
    'replied',
    all[0]?.id,
    'replied',
    all[2]?.id,
  ])
})

test('a port that is taken is told, and taken when it is free', async () => {
  const blocker = createServer()
  await new Promise<void>((resolve) => blocker.listen(0, LOOPBACK, resolve))
  const { port: listen_port } = blocker.address() as AddressInfo
  const live = await LiveGateway.open()
  const { id } = await live.add({ port: 1, tap: { host_address: LOOPBACK, listen_port } })
  await live.gateway.equipment.connect(id, 0)
  await until(() => seen({ live, id }).last_error?.code === 'listen_failed')
  await new Promise((resolve) => blocker.close(resolve))
  await until(() => seen({ live, id }).connection_state === 'LISTENING')
})

/** A tap between peers that write what the test wants, and have established communication. */
async function betweenRawPeers() {
  const live = await LiveGateway.open()
  const dialled: RawPeer[] = []
  const { port } = await rawServer((socket) => void dialled.push(new RawPeer(socket)))
  const listen_port = await freePort()
  const tap = { host_address: LOOPBACK, listen_port, pause_seconds: 0 }
  const { id } = await live.add({ port, gem_startup: true, tap })
  await live.gateway.equipment.connect(id, 0)
  const scene = { live, id, calls: callsOf(live.gateway) }
  const connected = async () => {
    const before = dialled.length
    const host = await RawPeer.dial(listen_port)
    host.control('selectReq')
    const equipment = await until(() => dialled[before])
    await equipment.frame()
    equipment.control('selectRsp')
    await host.frame()
    return { host, equipment }
  }
  /** The host asks for the model; the equipment replies. */
  const established = async (
    { host, equipment }: { host: RawPeer; equipment: RawPeer },
    systemBytes: number,
  ) => {
    host.socket.write(dataBytes({ systemBytes }))
    await equipment.frame()
    equipment.socket.write(dataBytes({ systemBytes, function: 2, wait: false }))
    await host.frame()
  }
  return { ...scene, connected, established }
}

test('a side whose bytes are no HSMS is said for as long as it is so, and what wants a reply is lost', async () => {
  const scene = await betweenRawPeers()
  const { live, id, calls, connected, established } = scene
  const first = await connected()
  await established(first, 1)
  await until(() => seen(scene).communication_state === 'COMMUNICATING')
  // It reads on, as a lenient host does.
  first.host.socket.removeAllListeners('data').resume()
  first.equipment.socket.write(Uint8Array.of(0, 0, 0, 0))
  const cause = expect.stringContaining('what the equipment sends is not HSMS')
  const event = await live.event(
    ({ name, data }) => name === 'communication_state' && data['from'] === 'COMMUNICATING',
  )
  expect(event.data).toMatchObject({ from: 'COMMUNICATING', cause })
  first.host.socket.write(dataBytes({ systemBytes: 2 }))
  await first.equipment.frame()
  first.equipment.socket.write(dataBytes({ systemBytes: 2, function: 2, wait: false }))
  await until(async () => (await messages(scene)).at(-1)?.outcome === 'lost')
  expect((await messages(scene)).map(short)).toEqual([
    ...['host equipment S1F1', 'equipment host S1F2', 'host equipment S1F1'],
  ])
  expect(seen(scene)).toMatchObject({
    ...{ connection_state: 'SELECTED', communication_state: 'NOT_COMMUNICATING', control_state: 'UNKNOWN' },
    ...{ health: 'failing', health_reason: cause },
  })
  await expect(calls.sendMessage({ id }, { body: { sml: 'S1F1 W.' } })).rejects.toMatchObject({
    code: 'equipment_not_communicating',
    message: cause,
  })
  first.host.socket.destroy()
  await until(() => seen(scene).connection_state === 'LISTENING')
  await established(await connected(), 3)
  await until(() => seen(scene).communication_state === 'COMMUNICATING')
})
