import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { brokersOf } from '../../../src/gateway/sinks/kinds/kafka/brokers.js'
import { kafka } from '../../../src/gateway/sinks/kinds/kafka/kafka.js'
import { scram } from '../../../src/gateway/sinks/kinds/kafka/scram.js'
import type { Producer } from '../../../src/gateway/sinks/kinds/kind.js'
import { connectTarget } from '../../../src/gateway/sinks/kinds/target-socket.js'
import type { SinkRecord } from '../../../src/gateway/sinks/sink-record.js'
import { ManualClock } from '../../support/manual-clock.js'
import { untilLater } from '../../support/until.js'
import { authenticated, FakeKafka, unsupported } from './fake-kafka.js'
import { outMessage, sinkWorld } from './open-sinks.js'

const message = outMessage(1)
const never = new AbortController().signal

const producerTo = (port: number, more: object = {}, parts: object = {}): Producer => {
  const target = { brokers: `127.0.0.1:${port}`, topic: 'secs', ...more }
  const producer = kafka()(
    { kind: 'kafka', kafka: target, secret: 'pencil' } as unknown as SinkRecord,
    sinkWorld(parts),
  )
  onTestFinished(() => producer.close())
  return producer
}

test('a message that the broker cannot accept is rejected for good, other errors pass', async () => {
  const broker = await FakeKafka.listen()
  const producer = producerTo(broker.port)
  expect(await producer.send([message], never)).toBeUndefined()
  broker.error = 10
  expect(await producer.send([message], never)).toEqual({
    isPermanent: true,
    detail: 'the broker responded with MESSAGE_TOO_LARGE',
  })
  broker.error = 6
  expect(await producer.send([message], never)).toEqual({
    isPermanent: false,
    detail: 'the broker responded with NOT_LEADER_OR_FOLLOWER',
  })
  const asked = () => broker.calls.filter(({ key }) => key === 3).length
  expect(asked()).toBe(1)
  broker.error = 0
  expect(await producer.send([message], never)).toBeUndefined()
  // The leader may be another one now.
  expect(asked()).toBe(2)
})

test('all replicas are waited for', async () => {
  const broker = await FakeKafka.listen()
  await producerTo(broker.port).send([message], never)
  const produce = broker.calls.find(({ key }) => key === 0)
  // After the transactional id, which is null.
  expect(produce?.body.readInt16BE(2)).toBe(-1)
})

test('a topic that does not exist is a failure that passes', async () => {
  const broker = await FakeKafka.listen()
  expect(await producerTo(broker.port, { topic: 'other' }).send([message], never)).toEqual({
    isPermanent: false,
    detail: 'the broker responded with UNKNOWN_TOPIC_OR_PARTITION',
  })
})

test('a broker that another one names is refused when it is local', async () => {
  const broker = await FakeKafka.listen()
  const through = kafka((address) =>
    connectTarget(
      address.host === 'kafka.example' ? { ...address, host: '127.0.0.1', localTargets: true } : address,
    ),
  )
  const target = { brokers: `kafka.example:${broker.port}`, topic: 'secs' }
  const record = { kind: 'kafka', kafka: target, secret: null } as unknown as SinkRecord
  for (const host of ['127.0.0.1', 'localhost', '169.254.169.254']) {
    broker.named = { host, port: broker.port }
    const producer = through(record, sinkWorld({ localTargets: false }))
    await expect(producer.send([message], never)).rejects.toThrow('local address')
    await producer.close()
  }
  expect(broker.calls.every(({ key }) => key === 3)).toBe(true)
})

test.each([
  ['closes the connection', (socket: Socket) => socket.destroy(), 'closed'],
  ['says something else', (socket: Socket) => socket.write('SSH-2.0-OpenSSH'), 'not a Kafka'],
  ['has a negative length', (socket: Socket) => socket.write(Buffer.alloc(64, 0xff)), 'not a Kafka'],
  [
    'sends without end',
    (socket: Socket) => {
      const more = (): void => {
        while (!socket.destroyed && socket.write(Buffer.alloc(65_536))) {}
      }
      socket.write(Buffer.from([0, 0x3f, 0xff, 0xff]))
      socket.on('drain', more)
      more()
    },
    'too long',
  ],
  ['is silent', () => {}, 'did not respond in time'],
])('a server that %s is a failure', async (name, serve, text) => {
  const clock = new ManualClock()
  const server = createTcpServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => serve(socket))
    onTestFinished(() => void socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  let isOver = false
  const sent = producerTo(port, {}, { clock })
    .send([message], never)
    .finally(() => {
      isOver = true
    })
  const step = name === 'is silent' ? 2_000 : 0
  await Promise.all([expect(sent).rejects.toThrow(text), untilLater(clock, () => isOver, step)])
})

test('a web server is a failure', async () => {
  const server = createServer((_request, response) => response.end('hello'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  await expect(producerTo(port).send([message], never)).rejects.toThrow()
})

test('the user logs in before anything else is sent', async () => {
  const broker = await FakeKafka.listen()
  broker.answer = ({ key }) => (key === 36 ? authenticated('') : undefined)
  const producer = producerTo(broker.port, { user: 'mes', mechanism: 'plain' })
  expect(await producer.send([message], never)).toBeUndefined()
  expect(broker.calls.map(({ key }) => key)).toEqual([17, 36, 3, 0])
  expect(broker.calls[1]?.body.subarray(4).toString()).toBe('\0mes\0pencil')
})

test('a user who is refused, and a mechanism that is not offered, say so', async () => {
  const broker = await FakeKafka.listen()
  broker.answer = ({ key }) => (key === 36 ? authenticated('', 58) : undefined)
  const producer = producerTo(broker.port, { user: 'mes', mechanism: 'plain' })
  await expect(producer.send([message], never)).rejects.toThrow('refuses the user')
  broker.answer = ({ key }) => (key === 17 ? unsupported('PLAIN', 'GSSAPI') : undefined)
  await expect(producerTo(broker.port, { user: 'mes' }).send([message], never)).rejects.toThrow(
    'does not offer SCRAM-SHA-512, but PLAIN, GSSAPI',
  )
})

// The exchange of RFC 7677.
const NONCE = 'rOprNGfwEbeRWgbNEkqO'
const SERVER_FIRST = `r=${NONCE}%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096`
const USER = { user: 'user', password: 'pencil', nonce: NONCE }

async function exchanged(first: string, last: string): Promise<string[]> {
  const said: string[] = []
  await scram('sha256', USER, async (text) => [first, last][said.push(text) - 1] ?? '')
  return said
}

test('SCRAM-SHA-256 is as RFC 7677 has it', async () => {
  const said = await exchanged(SERVER_FIRST, 'v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=')
  expect(said).toEqual([
    `n,,n=user,r=${NONCE}`,
    `c=biws,r=${NONCE}%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=`,
  ])
})

test.each([
  [
    'a server that does not know the password',
    SERVER_FIRST,
    `v=${'A'.repeat(43)}=`,
    'does not know the password',
  ],
  ['an error', SERVER_FIRST, 'e=invalid-proof', 'invalid-proof'],
  ['another nonce', 'r=other,s=AAAA,i=4096', '', 'does not follow SCRAM'],
  ['no attributes', '', '', 'does not follow SCRAM'],
  ['endless work', SERVER_FIRST.replace('4096', '4294967295'), '', 'asks for 4294967295 iterations'],
  ['too little work', SERVER_FIRST.replace('4096', '1'), '', 'asks for 1 iterations'],
])('SCRAM refuses %s', async (_, first, last, text) => {
  await expect(exchanged(first, last)).rejects.toThrow(text)
})

test('brokers are names and addresses with ports', () => {
  expect(brokersOf('a:9093,b,10.0.0.1:1,[2001:db8::1]:2,[2001:db8::1]')).toEqual([
    { host: 'a', port: 9093 },
    { host: 'b', port: 9092 },
    { host: '10.0.0.1', port: 1 },
    { host: '2001:db8::1', port: 2 },
    { host: '2001:db8::1', port: 9092 },
  ])
  for (const wrong of [
    '',
    'a:',
    'a:0',
    'a:65536',
    'a,,b',
    'a b',
    'http://a:9092',
    'user@a:9092',
    '2001:db8::1',
  ])
    expect(() => brokersOf(wrong), wrong).toThrow('is not host:port')
})
