import { expect, onTestFinished, test } from 'vitest'
import type { WireRecord } from '../../../src/contract/topics/wire.js'
import { TapRequests } from '../../../src/gateway/tap/tap-requests.js'
import { dataHeader } from '../../../src/hsms/frame/header.js'
import { HsmsDriver } from '../../../src/hsms/hsms-driver.js'
import type { DataMessage } from '../../../src/hsms/message.js'
import { HSMS_DEFAULTS } from '../../../src/hsms/settings.js'
import { Listeners } from '../../../src/hsms/tcp/listener.js'
import { systemClock } from '../../../src/kit/clock.js'
import { encodeBody } from '../../../src/secs2/encode.js'
import { freePort } from '../../support/free-port.js'
import { callsOf, LiveGateway } from '../../support/live-gateway.js'
import { LOOPBACK } from '../../support/tcp.js'
import { until } from '../../support/until.js'

const S1F1 = { sessionId: 0, stream: 1, function: 1, wait: true, body: encodeBody(undefined) }

async function entity(role: 'active' | 'passive', port: number): Promise<HsmsDriver> {
  const settings = { ...HSMS_DEFAULTS, role, host: LOOPBACK, port, deviceId: 0 }
  const one = new HsmsDriver(settings, { clock: systemClock, listeners: new Listeners() })
  onTestFinished(() => one.stop())
  await one.start()
  return one
}

/** A host, a tap, and equipment that replies to what `replies` says; what it got is in `got`. */
async function scene(replies: { now: boolean }) {
  const live = await LiveGateway.open()
  const tool = await entity('passive', 0)
  const got: DataMessage[] = []
  tool.received.on(({ message }) => {
    got.push(message)
    if (replies.now) tool.send({ ...message, function: message.function + 1, wait: false })
  })
  const listen_port = await freePort()
  const tap = { host_address: LOOPBACK, listen_port, pause_seconds: 0 }
  const { id } = await live.add({ port: tool.boundPort ?? 0, communication: 'none', tap })
  await live.gateway.equipment.connect(id, 0)
  const host = await entity('active', listen_port)
  await until(() => live.gateway.equipment.known(id)?.connection_state === 'SELECTED')
  const calls = callsOf(live.gateway)
  const messages = async () =>
    (await calls.listMessages({}, { query: { equipment_id: [id], order: 'asc', limit: 100 } })).items
  return { live, tool, got, id, host, calls, messages }
}

test('a primary of a client has the system bytes on the line that are recorded, and is on the wire with its reply', async () => {
  const { live, got, id, calls, messages } = await scene({ now: true })
  const ended = new AbortController()
  const wire: WireRecord[] = []
  const watched = (async () => {
    for await (const record of live.gateway.wires.follow(id, 2, ended.signal)) wire.push(record)
  })()
  await calls.sendMessage({ id }, { body: { sml: 'S1F1 W.' } })
  await watched
  const onWire = wire.flatMap((one) =>
    one.kind === 'frame'
      ? [[one.from, one.to, one.header.stream, one.header.function, one.header.system_bytes]]
      : [],
  )
  const [sent, reply] = await messages()
  expect(onWire).toEqual([
    ['gateway', 'equipment', 1, 1, got[0]?.systemBytes],
    ['equipment', 'gateway', 1, 2, got[0]?.systemBytes],
  ])
  expect(sent).toMatchObject({ from: 'gateway', system_bytes: got[0]?.systemBytes, outcome: 'replied' })
  expect(reply).toMatchObject({ to: 'gateway', system_bytes: got[0]?.systemBytes, reply_to: sent?.id })
  expect([sent, reply].map((one) => one?.equipment_system_bytes)).toEqual([undefined, undefined])
})

test('where the host chooses system bytes of the gateway, its primary and the reply are recorded with both, and linked', async () => {
  const replies = { now: false }
  const { got, id, host, tool, calls, messages } = await scene(replies)
  const late = calls.sendMessage({ id }, { query: { timeout: 0.1 }, body: { sml: 'S1F1 W.' } })
  await expect(late).rejects.toMatchObject({ code: 'reply_timeout' })
  await until(() => got.length === 1)
  const ours = got[0] as DataMessage
  replies.now = true
  host.send({ ...S1F1, systemBytes: ours.systemBytes })
  await until(() => got.length === 2)
  const mapped = got[1]?.systemBytes
  expect(mapped).not.toBe(ours.systemBytes)
  const [own, primary, reply] = await until(async () => {
    const all = await messages()
    return all.length >= 3 ? all : undefined
  })
  const both = { system_bytes: ours.systemBytes, equipment_system_bytes: mapped }
  expect(primary).toMatchObject({ from: 'host', outcome: 'replied', reply_id: reply?.id, ...both })
  expect(reply).toMatchObject({ to: 'host', reply_to: primary?.id, ...both })
  // The late reply is the gateway's, and belongs to its own primary.
  tool.send({ ...ours, function: 2, wait: false })
  const [last] = await until(async () => {
    const all = (await messages()).slice(3)
    return all.length > 0 ? all : undefined
  })
  expect(last).toMatchObject({ to: 'gateway', reply_to: own?.id, system_bytes: ours.systemBytes })
})

test('where the tap has chosen other system bytes for a primary of a client, its reply has both', async () => {
  const settings = { ...HSMS_DEFAULTS, role: 'active', host: LOOPBACK, port: 1, deviceId: 0 } as const
  const requests = new TapRequests(settings, systemClock, () => 'SELECTED')
  requests.link = { ask: () => {}, giveUp: () => {} }
  const systemBytes = requests.reserve()
  const outcome = requests.request({ ...S1F1, systemBytes })
  requests.sent(systemBytes, 99)
  const reply = { ...S1F1, function: 2, wait: false, systemBytes: 99 }
  requests.replied(systemBytes, { header: dataHeader(reply), body: reply.body })
  expect(await outcome).toMatchObject({ kind: 'replied', reply: { function: 2, systemBytes } })
  expect(requests.equipmentBytesOf(systemBytes)).toBe(99)
})

test('a primary of a client that the tap has not sent is told so; one that it has sent, and whose link ends, is lost', async () => {
  const settings = { ...HSMS_DEFAULTS, role: 'active', host: LOOPBACK, port: 1, deviceId: 0 } as const
  const requests = new TapRequests(settings, systemClock, () => 'SELECTED')
  const ask = () => requests.request({ ...S1F1, systemBytes: requests.reserve() })
  expect(await ask()).toEqual({ kind: 'not_sent' })
  const asked: number[] = []
  requests.link = { ask: (request) => void asked.push(request), giveUp: () => {} }
  const [unsent, sent] = [ask(), ask()]
  requests.notSent(asked[0] ?? 0)
  requests.loseAll()
  expect([await unsent, await sent]).toEqual([{ kind: 'not_sent' }, { kind: 'lost' }])
})
