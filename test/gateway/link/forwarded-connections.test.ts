import { connect, createServer, type Socket } from 'node:net'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { ForwardedConnections } from '../../../src/gateway/link/forwarded-connections.js'
import { ForwardingProof } from '../../../src/gateway/link/forwarding-proof.js'
import { type EquipmentRecord, newEquipmentRecord } from '../../../src/gateway/records/equipment-record.js'
import { STYPE } from '../../../src/hsms/frame/header.js'
import type { HsmsDriver } from '../../../src/hsms/hsms-driver.js'
import { Listeners } from '../../../src/hsms/tcp/listener.js'
import { ProxyHeaders } from '../../../src/hsms/tcp/proxy-headers.js'
import { systemClock } from '../../../src/kit/clock.js'
import { IpNetworks } from '../../../src/kit/ip-networks.js'
import { freePort } from '../../support/free-port.js'
import { heldMemory } from '../../support/held-memory.js'
import { driver, reached } from '../../support/hsms-pair.js'
import { controlBytes, dataBytes } from '../../support/hsms-wire.js'
import { startSimulator } from '../../support/live-gateway.js'
import { MemoryCollection } from '../../support/memory-store.js'
import { RawPeer } from '../../support/tcp.js'
import { settledAt, turns, until } from '../../support/until.js'
import { type SharedOwnership, Site } from '../shared-ownership.js'

const KEY = new Uint8Array(32).fill(7)
const EQUIPMENT = '127.0.0.1'
const time = { now: () => Date.now() }

/** A process of the site: its listeners, and what it hands on. */
class Process {
  readonly proof: ForwardingProof
  readonly headers: ProxyHeaders
  readonly listeners: Listeners
  readonly forwarded: ForwardedConnections

  private constructor(
    readonly host: string,
    readonly ownership: SharedOwnership,
    equipment: MemoryCollection<EquipmentRecord>,
    key: Uint8Array,
  ) {
    this.proof = new ForwardingProof(key, time)
    this.headers = new ProxyHeaders({
      clock: systemClock,
      proxies: new IpNetworks([]),
      proofFault: (header, bytes) => this.proof.fault(header, bytes, ownership.self),
    })
    this.listeners = new Listeners(this.headers)
    const { listeners, proof } = this
    const parts = { ownership, equipment, listeners, hsmsHost: host, proof, clock: systemClock }
    this.forwarded = new ForwardedConnections(parts)
  }

  static async start(
    site: Site,
    host: string,
    equipment: MemoryCollection<EquipmentRecord>,
    key = KEY,
  ): Promise<Process> {
    const process = new Process(host, site.join(host), equipment, key)
    onTestFinished(() => process.forwarded.close())
    await process.forwarded.start()
    return process
  }

  /** What the owner runs for the equipment. */
  async serve({ port }: { readonly port: number }): Promise<HsmsDriver> {
    const made = driver({ role: 'passive', host: this.host, port, peer: EQUIPMENT }, this.listeners)
    await made.start()
    return made
  }

  async dial({ port }: { readonly port: number }): Promise<RawPeer> {
    const socket = connect({ port, host: this.host, localAddress: EQUIPMENT })
    await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
    return new RawPeer(socket)
  }
}

let site: Site
let equipment: MemoryCollection<EquipmentRecord>
let record: EquipmentRecord & { readonly port: number }

beforeEach(async () => {
  site = new Site()
  equipment = new MemoryCollection()
  const given = { name: 'etcher', ip_address: EQUIPMENT, port: await freePort(), mode: 'active' } as const
  const { port } = given
  record = { ...newEquipmentRecord('eq_1', given, '2026-01-01T00:00:00.000Z'), port, enabled: true }
  await equipment.put(record)
})

/** Two processes; the second owns the equipment and listens for it. */
async function two(): Promise<{ wrong: Process; owner: Process; served: HsmsDriver }> {
  const wrong = await Process.start(site, '127.0.0.2', equipment)
  const owner = await Process.start(site, '127.0.0.3', equipment)
  site.give(record.id, owner.ownership)
  const served = await owner.serve(record)
  await until(async () => {
    const peer = await wrong.dial(record).catch(() => undefined)
    // It has gone all the way before it is over: it takes the place of no other one.
    await Promise.race([peer?.control('selectReq').frame(), peer?.closed])
    peer?.socket.destroy()
    return peer !== undefined
  })
  await until(() => served.state === 'LISTENING' && wrong.forwarded.open === 0)
  return { wrong, owner, served }
}

describe('equipment that dials a process that does not own it', () => {
  test('communicates with the owner, which knows it by its own address', async () => {
    const { wrong, owner, served } = await two()
    await startSimulator({ role: 'active', host: wrong.host, port: record.port })
    await reached(served, 'SELECTED')
    expect(served.endpoints).toMatchObject({
      local: `${wrong.host}:${record.port}`,
      remote: expect.stringMatching(`^${EQUIPMENT}:`),
    })
    expect([wrong.forwarded.open, owner.forwarded.open, wrong.forwarded.unowned]).toEqual([1, 0, 0])
    await served.stop()
    await until(() => wrong.forwarded.open === 0)
  })

  test('loses nothing, and neither process keeps what the other does not read', async () => {
    const { wrong, served } = await two()
    let received = 0
    served.received.on(({ message }) => (received += message.body.length))
    const peer = await wrong.dial(record)
    peer.socket.write(controlBytes('selectReq', { systemBytes: 1 }))
    await reached(served, 'SELECTED')
    served.pause()
    const body = Buffer.alloc(1_000_000, 0x41)
    const before = heldMemory().arrayBuffers
    let isFlushed = false
    for (let at = 0; at < 60; at += 1) peer.socket.write(dataBytes({ body }), () => (isFlushed = at === 59))
    await settledAt(() => peer.socket.bytesWritten - peer.socket.writableLength)
    expect(isFlushed).toBe(false)
    // The test itself keeps what it could not write.
    expect(heldMemory().arrayBuffers - before).toBeLessThan(70_000_000)
    served.resume()
    await until(() => received === 60_000_000)
  })

  test('has its connection closed where nobody owns it, and where the owner is not reached', async () => {
    const { wrong, owner, served } = await two()
    const closed = async (): Promise<void> => (await wrong.dial(record)).control('selectReq').closed
    await owner.forwarded.close()
    await served.stop()
    await closed()
    await site.give(record.id, undefined)
    await closed()
    owner.ownership.url = null
    await site.give(record.id, owner.ownership)
    await closed()
    owner.ownership.url = 'not a URL'
    await closed()
    await until(() => wrong.forwarded.unowned === 4 && wrong.forwarded.open === 0)
  })

  test('is closed when another process has taken it over, and reaches that one then', async () => {
    const { wrong, owner, served } = await two()
    const first = (await wrong.dial(record)).control('selectReq', { systemBytes: 1 })
    await first.frame()
    const heir = await Process.start(site, '127.0.0.4', equipment)
    const inherited = await heir.serve(record)
    await site.give(record.id, heir.ownership)
    await first.closed
    await until(() => served.state === 'LISTENING')
    const second = (await wrong.dial(record)).control('selectReq', { systemBytes: 2 })
    expect((await second.frame()).header).toMatchObject({ sType: STYPE.selectRsp, systemBytes: 2 })
    expect(inherited.state).toBe('SELECTED')
    // The process that has lost it hands it on itself.
    await until(async () => (await owner.dial(record).catch(() => undefined)) !== undefined)
  })

  test('is served here, and forwarded no more, once this process owns it', async () => {
    const { wrong, served } = await two()
    const first = (await wrong.dial(record)).control('selectReq', { systemBytes: 1 })
    await first.frame()
    const own = await wrong.serve(record)
    await site.give(record.id, wrong.ownership)
    await first.closed
    await until(() => served.state === 'LISTENING')
    const second = (await wrong.dial(record)).control('selectReq', { systemBytes: 2 })
    await second.frame()
    expect([own.state, served.state]).toEqual(['SELECTED', 'LISTENING'])
    await until(() => wrong.forwarded.open === 0)
  })

  test('is no stranger to a process that has taken it and does not serve it yet', async () => {
    const wrong = await Process.start(site, '127.0.0.2', equipment)
    const owner = await Process.start(site, '127.0.0.3', equipment)
    await site.give(record.id, owner.ownership)
    for (const process of [owner, wrong]) {
      const peer = await until(() => process.dial(record).catch(() => undefined))
      await peer.control('selectReq').closed
    }
    await until(() => owner.forwarded.unowned === 2)
    expect([owner.listeners.strangers, owner.headers.refused, wrong.listeners.strangers]).toEqual([0, 0, 0])
    const served = await owner.serve(record)
    const peer = (await owner.dial(record)).control('selectReq', { systemBytes: 1 })
    await peer.frame()
    expect([served.state, owner.forwarded.unowned]).toEqual(['SELECTED', 2])
  })

  test('has four connections forwarded at once, not any number', async () => {
    const { wrong, owner: before, served } = await two()
    await before.forwarded.close()
    await served.stop()
    const owner = createServer((socket) => socket.on('error', () => {}).resume())
    onTestFinished(() => void owner.close())
    await new Promise<void>((resolve) => owner.listen(record.port, '127.0.0.3', resolve))
    const peers: RawPeer[] = []
    for (let at = 0; at < 7; at += 1) peers.push((await wrong.dial(record)).control('selectReq'))
    await until(() => wrong.forwarded.unowned === 3 && wrong.forwarded.open === 4)
    for (const peer of peers) peer.socket.destroy()
    await until(() => wrong.forwarded.open === 0)
  })
})

describe('the ports', () => {
  const listens = async (process: Process, at = record): Promise<boolean> => {
    const peer = await process.dial(at).catch(() => undefined)
    peer?.socket.destroy()
    return peer !== undefined
  }

  test('of equipment that is disabled, dialled or removed are given back', async () => {
    const { wrong, owner } = await two()
    for (const change of [{ enabled: false }, { mode: 'passive' }] as const) {
      await equipment.put({ ...record, ...change })
      equipment.changed.emit(record.id)
      await until(async () => !(await listens(wrong)))
      await equipment.put(record)
      equipment.changed.emit(record.id)
      await until(() => listens(wrong))
    }
    const moved = { ...record, port: await freePort() }
    await equipment.put(moved)
    equipment.changed.emit(record.id)
    await until(async () => (await listens(wrong, moved)) && !(await listens(wrong)))
    await equipment.delete(record.id)
    equipment.changed.emit(record.id)
    await until(async () => !(await listens(wrong, moved)))
    expect(owner.forwarded.unowned).toBe(0)
  })

  test('are given back when the process ends, with every connection', async () => {
    const { wrong } = await two()
    const peer = (await wrong.dial(record)).control('selectReq', { systemBytes: 1 })
    await peer.frame()
    await wrong.forwarded.close()
    await peer.closed
    expect(await listens(wrong)).toBe(false)
    await site.give(record.id, undefined)
    await turns()
    expect(await listens(wrong)).toBe(false)
  })
})

describe('a hostile peer', () => {
  const forged = (process: Process, key = KEY): Uint8Array =>
    new ForwardingProof(key, time).header(
      { local: `10.1.0.1:${record.port}`, remote: `${EQUIPMENT}:4000` },
      process.ownership.self,
    )

  /** Writes these bytes from an address of its own. */
  async function attack(process: Process, bytes: Uint8Array): Promise<Socket> {
    const socket = connect({ port: record.port, host: process.host, localAddress: '127.0.0.66' })
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => {})
    await new Promise((resolve) => socket.once('connect', resolve))
    socket.write(bytes)
    return socket
  }

  test('without the key of the site is no equipment', async () => {
    const { owner, served } = await two()
    const socket = await attack(owner, forged(owner, new Uint8Array(32).fill(8)))
    await new Promise((resolve) => socket.once('close', resolve))
    expect([owner.headers.refused, served.state]).toEqual([1, 'LISTENING'])
  })

  test('that repeats a header that it has seen is no equipment', async () => {
    const { owner, served } = await two()
    const seen = forged(owner)
    const first = await attack(owner, seen)
    await reached(served, 'NOT_SELECTED')
    first.destroy()
    await reached(served, 'LISTENING')
    const again = await attack(owner, seen)
    await new Promise((resolve) => again.once('close', resolve))
    expect([owner.headers.refused, served.state]).toEqual([1, 'LISTENING'])
  })

  test('cannot make two processes hand one connection to each other', async () => {
    const { wrong } = await two()
    // Even with a header of this very process, what it does not own is closed.
    const socket = await attack(wrong, forged(wrong))
    await new Promise((resolve) => socket.once('close', resolve))
    expect([wrong.forwarded.open, wrong.forwarded.unowned]).toEqual([0, 1])
  })
})

test('equipment at a serial port is awaited on no port, whatever its mode', async () => {
  const line = {
    transport: 'secs1-serial',
    serial_port: '/dev/ttyS7',
    ip_address: null,
    port: null,
  } as const
  const wrong = await Process.start(site, '127.0.0.2', equipment)
  const joined = vi.spyOn(wrong.listeners, 'join')
  const serial = { ...record, ...line, id: 'eq_2' }
  await equipment.put(serial)
  const later = { ...record, id: 'eq_3', port: await freePort() }
  await equipment.put(later)
  equipment.changed.emit(serial.id)
  equipment.changed.emit(later.id)
  await until(() => joined.mock.calls.some(([{ port }]) => port === later.port))
  expect(joined.mock.calls.map(([{ port }]) => port)).not.toContain(0)
})
