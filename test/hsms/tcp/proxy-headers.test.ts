import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { STYPE } from '../../../src/hsms/frame/header.js'
import type { HsmsDriver } from '../../../src/hsms/hsms-driver.js'
import { internetAddress } from '../../../src/hsms/tcp/internet-address.js'
import { Listeners } from '../../../src/hsms/tcp/listener.js'
import { proxyHeader } from '../../../src/hsms/tcp/proxy-header.js'
import {
  HEADER_TIMEOUT_MS,
  PROOF,
  ProxyHeaders,
  type ProxyTrust,
} from '../../../src/hsms/tcp/proxy-headers.js'
import { IpNetworks } from '../../../src/kit/ip-networks.js'
import { nextTurn } from '../../../src/kit/turns.js'
import { driver, passive, portOf, reached } from '../../support/hsms-pair.js'
import { controlBytes, dataBytes } from '../../support/hsms-wire.js'
import { ManualClock } from '../../support/manual-clock.js'
import { LOOPBACK, RawPeer } from '../../support/tcp.js'
import { turns, until } from '../../support/until.js'
import { hexBytes } from '../../support/vectors.js'

const PROXY = '127.0.0.5'
const EQUIPMENT = '10.1.0.7'

const header = (source = `${EQUIPMENT}:40000`, extensions: { type: number; value: Uint8Array }[] = []) =>
  proxyHeader({ source: internetAddress(source), destination: internetAddress('10.1.0.1:5000'), extensions })

interface Listening {
  readonly equipment: HsmsDriver
  readonly listeners: Listeners
  readonly headers: ProxyHeaders
  readonly clock: ManualClock
  /** Why connections were closed. */
  readonly refused: string[]
  dial(from?: string): Promise<RawPeer>
}

/** An entity that awaits equipment, where connections of `PROXY` begin with a header. */
async function listening(
  trust: Partial<ProxyTrust> = {},
  peer = EQUIPMENT,
  maxWaiting?: number,
): Promise<Listening> {
  const clock = new ManualClock()
  const refused: string[] = []
  const all = {
    clock,
    proxies: new IpNetworks([PROXY, '127.0.8.0/24']),
    refused: (remote: string, detail: string) => void refused.push(`${remote}: ${detail}`),
    ...trust,
  }
  const headers = new ProxyHeaders(all, maxWaiting)
  const listeners = new Listeners(headers)
  const equipment = await passive({ peer }, listeners)
  const dial = (from = PROXY): Promise<RawPeer> => RawPeer.dial(portOf(equipment), from)
  return { equipment, listeners, headers, clock, refused, dial }
}

const selectReq = (): Uint8Array => controlBytes('selectReq', { systemBytes: 9 })

describe('a connection of a trusted proxy', () => {
  test('is that of the equipment in its header, also in records of the wire', async () => {
    const { equipment, dial } = await listening()
    const peer = await dial()
    peer.socket.write(header())
    peer.socket.write(selectReq())
    expect((await peer.frame()).header).toMatchObject({ sType: STYPE.selectRsp, systemBytes: 9 })
    expect(equipment.endpoints).toEqual({ local: '10.1.0.1:5000', remote: `${EQUIPMENT}:40000` })
  })

  test('loses nothing that comes together with the header, however long', async () => {
    const { equipment, dial } = await listening()
    const received: number[] = []
    equipment.received.on(({ message }) => received.push(message.body.length))
    const peer = await dial()
    const body = Buffer.alloc(300_000, 0x41)
    peer.socket.write(Buffer.concat([header(), selectReq(), dataBytes({ body }), dataBytes({ body })]))
    await until(() => received.length === 2)
    expect(received).toEqual([body.length, body.length])
  })

  test('may send the header in pieces', async () => {
    const { equipment, dial } = await listening()
    const peer = await dial()
    for (const byte of Buffer.concat([header(), selectReq()])) {
      peer.socket.write(Uint8Array.of(byte))
      await nextTurn()
    }
    await reached(equipment, 'SELECTED')
  })

  test('may be of equipment with an IPv6 address', async () => {
    const { equipment, dial } = await listening({}, '2001:db8:0:0::7')
    const peer = await dial()
    const connection = { source: '[2001:db8::7]:40000', destination: '[2001:db8::1]:5000' }
    peer.socket.write(
      proxyHeader({
        source: internetAddress(connection.source),
        destination: internetAddress(connection.destination),
      }),
    )
    await reached(equipment, 'NOT_SELECTED')
    expect(equipment.endpoints).toEqual({ local: connection.destination, remote: connection.source })
  })

  test('is closed where nobody awaits that equipment, and counted as from a stranger', async () => {
    const { listeners, headers, dial } = await listening()
    const peer = await dial()
    peer.socket.write(header('10.9.9.9:40000'))
    await peer.closed
    expect([listeners.strangers, headers.refused]).toEqual([1, 0])
  })

  test('is not the equipment itself, though it has its address', async () => {
    const { equipment, headers, dial } = await listening({}, PROXY)
    const peer = await dial()
    peer.socket.write(selectReq())
    await peer.closed
    expect([headers.refused, equipment.state]).toEqual([1, 'LISTENING'])
  })

  test('that only checks is closed without a word', async () => {
    const { equipment, listeners, headers, refused, dial } = await listening()
    const check = await dial()
    check.socket.write(hexBytes('0d0a0d0a000d0a515549540a20000000'))
    await check.closed
    const silent = await dial()
    silent.socket.end()
    await silent.closed
    const reset = await dial()
    reset.socket.resetAndDestroy()
    await reset.closed
    const last = await dial('127.0.8.9')
    last.socket.write(header())
    await reached(equipment, 'NOT_SELECTED')
    expect([headers.refused, listeners.strangers, listeners.surplus, refused]).toEqual([0, 0, 0, []])
  })

  test.each([
    ['HSMS without a header', selectReq(), 'does not begin with a PROXY protocol header'],
    ['version 1', Buffer.from('PROXY TCP4 10.1.0.7 10.1.0.1 40000 5000\r\n'), 'but with one of version 1'],
    ['a damaged header', hexBytes('0d0a0d0a000d0a515549540a211100020000'), 'too short for its addresses'],
    ['an endless header', hexBytes('0d0a0d0a000d0a515549540a2111ffff'), 'too long'],
    ['no addresses', hexBytes('0d0a0d0a000d0a515549540a21000000'), 'names no TCP addresses'],
  ])('with %s is closed', async (_, bytes, detail) => {
    const { equipment, headers, refused, dial } = await listening()
    const peer = await dial()
    peer.socket.write(bytes)
    await peer.closed
    expect(headers.refused).toBe(1)
    expect(refused).toEqual([expect.stringMatching(`^${PROXY}: .*${detail}`)])
    expect(equipment.state).toBe('LISTENING')
  })

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['a part of the header', header().subarray(0, 20)],
  ])('that has sent %s is closed when the time is over, not before', async (_, bytes) => {
    const { headers, refused, clock, dial } = await listening()
    const peer = await dial()
    if (bytes.length > 0) peer.socket.write(bytes)
    await until(() => clock.scheduled > 0)
    await turns()
    clock.advance(HEADER_TIMEOUT_MS - 1)
    expect([headers.refused, peer.socket.destroyed]).toEqual([0, false])
    clock.advance(1)
    await peer.closed
    expect(refused).toEqual([expect.stringContaining('came within 5 s')])
  })

  test('is not late where its header came while this process was busy', async () => {
    const { equipment, headers, clock, dial } = await listening()
    const peer = await dial()
    await until(() => clock.scheduled > 0)
    // As a timer is: before sockets are read.
    setTimeout(() => {
      peer.socket.write(header())
      clock.advance(HEADER_TIMEOUT_MS)
    })
    await reached(equipment, 'NOT_SELECTED')
    expect(headers.refused).toBe(0)
  })

  test('that ends within its header is counted', async () => {
    const { headers, refused, dial } = await listening()
    const peer = await dial()
    peer.socket.end(header().subarray(0, 20))
    await peer.closed
    await until(() => headers.refused === 1)
    expect(refused).toEqual([expect.stringContaining('ended within its PROXY protocol header')])
  })
})

test('a header of anybody else is bytes that are no HSMS', async () => {
  const { equipment, headers, dial } = await listening({}, LOOPBACK)
  const peer = await dial(LOOPBACK)
  await reached(equipment, 'NOT_SELECTED')
  peer.socket.write(header())
  await peer.closed
  expect(headers.refused).toBe(0)
})

describe('where a header may prove who sent it', () => {
  const proofFault: ProxyTrust['proofFault'] = ({ extensions }) =>
    extensions.some(({ value }) => Buffer.from(value).equals(Buffer.from('right'))) ? undefined : 'forged'
  const proof = (value: string) => [{ type: PROOF, value: Buffer.from(value) }]

  test('it is believed from any address', async () => {
    const { equipment, dial } = await listening({ proofFault })
    const peer = await dial(LOOPBACK)
    peer.socket.write(header(undefined, proof('right')))
    await reached(equipment, 'NOT_SELECTED')
  })

  test.each([
    ['a wrong proof', LOOPBACK, header(undefined, proof('wrong')), 'forged'],
    ['a wrong proof of a trusted proxy', PROXY, header(undefined, proof('wrong')), 'forged'],
    ['no proof', LOOPBACK, header(), 'is not one whose PROXY protocol headers are believed'],
    [
      'a check of anybody',
      LOOPBACK,
      hexBytes('0d0a0d0a000d0a515549540a20000000'),
      'is not one whose PROXY protocol headers are believed',
    ],
  ])('with %s it is refused', async (_, from, bytes, detail) => {
    const { equipment, refused, dial } = await listening({ proofFault })
    const peer = await dial(from)
    peer.socket.write(bytes)
    await peer.closed
    expect(refused).toEqual([expect.stringContaining(detail)])
    expect(equipment.state).toBe('LISTENING')
  })

  test('a trusted proxy needs none', async () => {
    const { equipment, dial } = await listening({ proofFault })
    const peer = await dial()
    peer.socket.write(header())
    await reached(equipment, 'NOT_SELECTED')
  })

  test('HSMS is read as ever', async () => {
    const { equipment, dial } = await listening({ proofFault }, LOOPBACK)
    const peer = await dial(LOOPBACK)
    peer.socket.write(selectReq())
    expect((await peer.frame()).header).toMatchObject({ sType: STYPE.selectRsp, systemBytes: 9 })
    expect(equipment.endpoints?.remote).toMatch(/^127\.0\.0\.1:/)
  })

  test('equipment that sends nothing has its connection when the time for a header is over', async () => {
    const { equipment, clock, dial } = await listening({ proofFault }, LOOPBACK)
    await dial(LOOPBACK)
    await until(() => clock.scheduled > 0)
    expect(equipment.state).toBe('LISTENING')
    clock.advance(HEADER_TIMEOUT_MS)
    await reached(equipment, 'NOT_SELECTED')
  })

  test('an address with very many silent connections takes no places of others', async () => {
    const { equipment, listeners, dial } = await listening({ proofFault }, EQUIPMENT, 20)
    const early = await dial('127.0.0.67')
    for (let at = 0; at < 50; at += 1) await dial('127.0.0.66')
    await until(() => listeners.strangers === 51 - 20)
    const late = await dial(LOOPBACK)
    late.socket.write(header('10.9.9.9:40000', proof('right')))
    await late.closed
    early.socket.write(header(undefined, proof('right')))
    await reached(equipment, 'NOT_SELECTED')
  })

  test('a thousand connections that one process hands on at once are all believed', async () => {
    const { equipment, listeners, headers } = await listening({ proofFault })
    const bytes = header('10.9.9.9:40000', proof('right'))
    let open = 1000
    for (let at = 0; at < 1000; at += 1) {
      const socket = connect({ port: portOf(equipment), host: LOOPBACK, localAddress: '127.0.0.66' })
      socket.on('error', () => {}).once('connect', () => socket.write(bytes))
      socket.resume().once('close', () => open--)
    }
    await until(() => open === 0)
    // Nobody awaits this equipment, and their headers were right.
    expect([listeners.strangers, headers.refused]).toEqual([1000, 0])
  })
})

test('an entity that reads nothing at the moment reads nothing of a connection with a header', async () => {
  const { listeners } = await listening()
  const equipment = driver({ role: 'passive', peer: EQUIPMENT }, listeners)
  await equipment.start()
  equipment.pause()
  const peer = await RawPeer.dial(portOf(equipment), PROXY)
  peer.socket.write(Buffer.concat([header(), selectReq()]))
  await reached(equipment, 'NOT_SELECTED')
  await turns()
  expect(peer.frames).toEqual([])
  equipment.resume()
  expect((await peer.frame()).header).toMatchObject({ sType: STYPE.selectRsp })
})
