import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { L, U4 } from '../../src/secs2/item.js'
import { freePort } from '../support/free-port.js'
import { LiveGateway } from '../support/live-gateway.js'
import { ScriptedEquipment } from '../support/scripted-equipment.js'
import { LOOPBACK, RawPeer } from '../support/tcp.js'
import { until } from '../support/until.js'

const REPORT = L(U4(1), U4(2), L())

/** An equipment at this address that dials in, selects and answers S1F1. */
function dialIn(port: number, localAddress: string): ScriptedEquipment {
  const equipment = new ScriptedEquipment()
  equipment.reply = ({ stream, function: fn }) =>
    stream === 1 && fn === 1 ? { function: 2, item: L() } : undefined
  const socket = connect({ port, host: LOOPBACK, localAddress })
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  equipment.take(socket)
  equipment.control('selectReq', { systemBytes: 1 })
  return equipment
}

test('two hundred equipments dial in to one port, and each is served as itself', async () => {
  const live = await LiveGateway.open()
  const { equipment: registry, messages } = live.gateway
  const port = await freePort()
  const addresses = Array.from({ length: 200 }, (_, at) => `127.0.0.${at + 1}`)
  const records = await Promise.all(
    addresses.map((ip_address) => live.add({ mode: 'active', ip_address, port })),
  )
  await Promise.all(records.map(({ id }) => registry.connect(id, 0)))
  // Another process may have the port for a moment: then it is tried again.
  await until(async () =>
    (await registry.list({})).items.every(({ connection_state: is }) => is === 'LISTENING'),
  )

  const equipments = addresses.map((address) => dialIn(port, address))
  const communicate = async (): Promise<boolean> =>
    (await registry.list({})).items.every(({ communication_state: is }) => is === 'COMMUNICATING')
  await until(communicate)

  // Both sides speak at once, on every connection.
  const reports = equipments.map((equipment) => equipment.send(6, 11, REPORT))
  const sent = await Promise.all(records.map(({ id }) => messages.send(id, { stream: 1, function: 1 })))
  expect(sent.map(({ result }) => [result.message.equipment_id, result.message.outcome])).toEqual(
    records.map(({ id }) => [id, 'replied']),
  )
  for (const [at, equipment] of equipments.entries()) {
    await until(() => equipment.received.some(({ stream }) => stream === 6))
    const answer = equipment.received.filter(({ stream }) => stream === 6)
    expect(answer).toMatchObject([{ function: 12, systemBytes: reports[at] }])
  }

  const [stranger, surplus] = [await RawPeer.dial(port, '127.0.1.1'), await RawPeer.dial(port, '127.0.0.7')]
  await Promise.all([stranger.closed, surplus.closed])
  await Promise.all(equipments.map((equipment) => equipment.linktest()))
  expect(await communicate()).toBe(true)
})
