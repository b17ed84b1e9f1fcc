import { expect, test } from 'vitest'
import type { WireRecord } from '../../../src/hsms/capture/wire.js'
import { encodeFrame } from '../../../src/hsms/frame/frame.js'
import type { DataMessage } from '../../../src/hsms/message.js'
import { driver, next, passive, portOf, reached, selectedPair } from '../../support/hsms-pair.js'
import { controlBytes, dataBytes, HsmsWire, message } from '../../support/hsms-wire.js'
import { RawPeer } from '../../support/tcp.js'

const bytesOf = (records: readonly WireRecord[], direction: 'in' | 'out'): Buffer =>
  Buffer.concat(
    records.flatMap((record) =>
      record.kind === 'frame' && record.direction === direction ? [encodeFrame(record.frame)] : [],
    ),
  )

/** A record in a word or two. */
function word(record: WireRecord): string {
  if (record.kind !== 'frame') return record.kind
  const { header } = record.frame
  return `${record.direction} ${header.sType === 0 ? `F${header.byte3}` : `type ${header.sType}`}`
}

const reply = (to: DataMessage): DataMessage => ({ ...to, function: to.function + 1, wait: false })

test('nothing is told while nobody watches', () => {
  const wire = HsmsWire.selected('active')
  wire.request()
  wire.receive(dataBytes())
  wire.feed({ kind: 'watch', on: true })
  wire.feed({ kind: 'watch', on: false })
  wire.receive(dataBytes())
  wire.feed({ kind: 'stop' })
  expect(wire.of('passed')).toEqual([])
})

test('every frame is reported once, in the order of the wire, with the end of the connection after them', () => {
  const wire = HsmsWire.connected('passive')
  wire.feed({ kind: 'watch', on: true })
  wire.receive(controlBytes('selectReq'), dataBytes({ systemBytes: 7 }), controlBytes('linktestReq'))
  wire.feed({ kind: 'send', message: message({ function: 2, wait: false, systemBytes: 7 }) })
  wire.receive(controlBytes('separateReq'), dataBytes())
  const records = wire.of('passed').map(({ record }) => record)
  expect(records.map(word)).toEqual([
    'in type 1',
    'out type 2',
    'in F1',
    'in type 5',
    'out type 6',
    'out F2',
    'in type 9',
    'closed',
  ])
  expect(records.at(-1)).toEqual({ kind: 'closed', detail: expect.stringContaining('Separate.req') })
})

test('a frame is reported before what it brings about', () => {
  const wire = HsmsWire.selected('active')
  wire.feed({ kind: 'watch', on: true })
  const outputs = wire.receive(dataBytes())
  expect(outputs.map(({ kind }) => kind)).toEqual(['passed', 'received'])
})

test.each([
  { why: 'a length that cannot be', chunks: [Uint8Array.of(0, 0, 0, 3, 1, 2)] },
  { why: 'a length that comes in two pieces', chunks: [Uint8Array.of(0, 0), Uint8Array.of(0, 3, 1, 2)] },
  { why: 'a length behind a frame', chunks: [Buffer.concat([dataBytes(), Uint8Array.of(0, 0, 0, 3, 1, 2)])] },
])('$why is told as unreadable, with its bytes, before the connection is closed', ({ chunks }) => {
  const wire = HsmsWire.selected('active')
  wire.feed({ kind: 'watch', on: true })
  for (const chunk of chunks) wire.receive(chunk)
  const ends = wire.of('passed').map(({ record }) => record)
  expect(ends.slice(-2)).toEqual([
    {
      kind: 'unreadable',
      bytes: Uint8Array.of(0, 0, 0, 3, 1, 2),
      detail: expect.stringContaining('length of 3'),
    },
    { kind: 'closed', detail: expect.stringContaining('length of 3') },
  ])
})

test('a peer that speaks something else is reported with what it said', () => {
  const wire = HsmsWire.connected('passive')
  wire.feed({ kind: 'watch', on: true })
  wire.receive(Buffer.from('GET / HT'))
  const [first] = wire.of('passed')
  expect(first?.record).toEqual({
    kind: 'unreadable',
    bytes: new Uint8Array(Buffer.from('GET / HT')),
    detail: 'the peer speaks HTTP, not HSMS',
  })
})

test('on sockets it begins with both ends and holds the very bytes that passed', async () => {
  const equipment = await passive()
  const records: WireRecord[] = []
  equipment.wire.on((record) => records.push(record))
  equipment.received.on(({ message }) => equipment.send(reply(message)))
  const peer = await RawPeer.dial(portOf(equipment))
  const sent = [controlBytes('selectReq'), dataBytes({ systemBytes: 9, body: Uint8Array.of(1, 0) })]
  for (const bytes of sent) peer.socket.write(bytes)
  const answers = [await peer.frame(), await peer.frame()]
  const ended = next(equipment.changed, ({ to }) => to === 'LISTENING')
  peer.socket.destroy()
  await ended
  const { localPort } = peer.socket
  expect(records[0]).toMatchObject({ kind: 'opened', local: `127.0.0.1:${portOf(equipment)}` })
  expect(records.map(word)).toEqual(['opened', 'in type 1', 'out type 2', 'in F1', 'out F2', 'closed'])
  expect(bytesOf(records, 'in')).toEqual(Buffer.concat(sent))
  expect(bytesOf(records, 'out')).toEqual(Buffer.concat(answers.map(encodeFrame)))
  expect(localPort).toBeUndefined()
  expect(equipment.endpoints).toBeUndefined()
})

test('who listens later hears what passes from then on, and can ask for the ends', async () => {
  const { host, equipment } = await selectedPair()
  const records: WireRecord[] = []
  const off = host.wire.on((record) => records.push(record))
  equipment.received.on(({ message }) => equipment.send(reply(message)))
  const ask = (): Promise<unknown> => host.request(message({ systemBytes: host.reserve() ?? 0 }))
  await ask()
  off()
  await ask()
  expect(records.map(word)).toEqual(['out F1', 'in F2'])
  expect(host.endpoints).toEqual({
    local: equipment.endpoints?.remote,
    remote: `127.0.0.1:${portOf(equipment)}`,
  })
})

test('a dial that fails opens nothing', async () => {
  const listener = await passive()
  const port = portOf(listener)
  await listener.stop()
  const host = driver({ port })
  const records: WireRecord[] = []
  host.wire.on((record) => records.push(record))
  const failed = next(host.attemptFailed)
  await host.start()
  await failed
  expect(records).toEqual([])
})

test('each connection is opened and closed once, however it ends', async () => {
  const equipment = await passive()
  const records: WireRecord[] = []
  equipment.wire.on((record) => records.push(record))
  for (let round = 0; round < 3; round += 1) {
    const host = driver({ port: portOf(equipment) })
    await host.start()
    await reached(host, 'SELECTED')
    const over = next(equipment.changed, ({ to }) => to === 'LISTENING')
    await host.stop()
    await over
  }
  const ends = records.map(({ kind }) => kind).filter((kind) => kind !== 'frame')
  expect(ends).toEqual(['opened', 'closed', 'opened', 'closed', 'opened', 'closed'])
})

test('a connection that we stop is reported as closed', () => {
  const wire = HsmsWire.selected('active')
  wire.feed({ kind: 'watch', on: true })
  wire.feed({ kind: 'stop' })
  expect(wire.of('passed').at(-1)?.record).toEqual({ kind: 'closed', detail: 'disconnect requested' })
})
