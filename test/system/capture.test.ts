import { spawn } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WireFrame, WireRecord } from '../../src/contract/topics/wire.js'
import { systemClock } from '../../src/kit/clock.js'
import { shippedModel } from '../../src/simulator/shipped-models.js'
import { Simulator } from '../../src/simulator/simulator.js'
import { DaemonProcess, Home } from '../support/daemon-process.js'
import { PlainClient } from '../support/plain-client.js'
import { ended } from '../support/secsctl.js'
import { until } from '../support/until.js'
import { CHECK_CHECKSUMS, fieldsOf } from './wireshark.js'

const MEGABYTE = 1_000_000

const home = new Home()
let daemon: DaemonProcess
let simulator: Simulator
/** What the gateway captured, and what it said of the same wire. */
let capture: Buffer
let records: WireRecord[]

beforeAll(async () => {
  daemon = await DaemonProcess.start(home)
  const model = shippedModel('minimal')
  if (!model) throw new Error('there is no such model')
  simulator = new Simulator(model, { role: 'passive', host: '127.0.0.1', port: 0 }, { clock: systemClock })
  await simulator.start()
  await exchange()
})

afterAll(async () => {
  await daemon?.end('SIGTERM')
  await simulator?.stop()
  home.dispose()
})

/** Two connections with data both ways, one message of a megabyte, and every control message that comes up. */
async function exchange(): Promise<void> {
  const client = await new PlainClient(daemon.url).login()
  const timers = { t5: 0.2, linktest: 0.3 }
  const given = { name: 'etcher', ip_address: '127.0.0.1', port: simulator.port, timers }
  const { body: equipment } = await client.post('/equipment', given)
  const wire = `${daemon.url}/api/v1/equipment/${equipment.id}/wire`
  const over = new AbortController()
  const follow = async (accept: string): Promise<Buffer[]> => {
    const headers = { authorization: `Bearer ${client.token}`, accept }
    const chunks: Buffer[] = []
    const { body } = await fetch(wire, { headers, signal: over.signal })
    const read = async (): Promise<void> => {
      for await (const chunk of body ?? []) chunks.push(Buffer.from(chunk))
    }
    read().catch(() => {}) // ended by `over`
    return chunks
  }
  const [told, captured] = [await follow('application/x-ndjson'), await follow('application/x-pcapng')]
  const toldSoFar = (): WireRecord[] =>
    Buffer.concat(told)
      .toString()
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))

  for (const connection of [1, 2]) {
    await client.post(`/equipment/${equipment.id}/connect`)
    await client.post(`/equipment/${equipment.id}/messages`, { stream: 1, function: 1 })
    const abs = `0x${'5a'.repeat(connection === 1 ? MEGABYTE : 10)}`
    const loopback = { stream: 2, function: 25, data: { ABS: abs } }
    const { status } = await client.post(`/equipment/${equipment.id}/messages`, loopback)
    expect(status).toBe(200)
    const linktests = (): number =>
      toldSoFar().filter((record) => record.kind === 'frame' && record.name === 'Linktest.rsp').length
    const before = linktests()
    await until(async () => linktests() > before)
    await client.post(`/equipment/${equipment.id}/disconnect`)
    await until(async () => toldSoFar().filter(({ kind }) => kind === 'closed').length === connection)
  }
  // Both ends of each connection have closed it.
  await until(() => finsIn(Buffer.concat(captured)) === 4)
  expect(Buffer.concat(captured).length).toBeGreaterThan(2 * MEGABYTE)
  over.abort()
  records = toldSoFar()
  capture = Buffer.concat(captured)
}

/** Where each block of a capture begins. */
function blocksOf(bytes: Buffer): number[] {
  const starts: number[] = []
  for (let at = 0; at + 8 <= bytes.length; at += bytes.readUInt32LE(at + 4)) starts.push(at)
  return starts
}

/** How many packets of a capture that may still grow end a connection. */
function finsIn(bytes: Buffer): number {
  // In the block of a packet come 28 bytes and the headers of IPv4 and TCP, whose flags are in its byte 13.
  const [packet, fin] = [6, 1]
  const flagsOf = (block: number): number => bytes[block + 28 + 20 + 13] ?? 0
  return blocksOf(bytes).filter(
    (block) => bytes.readUInt32LE(block) === packet && (flagsOf(block) & fin) === fin,
  ).length
}

const frames = (): WireFrame[] => records.flatMap((record) => (record.kind === 'frame' ? [record] : []))

test('Wireshark reads every message as it was, in order, and no other', async () => {
  const lines = await fieldsOf(
    capture,
    simulator.port,
    [
      'tcp.dstport',
      'hsms.length',
      'hsms.header.sessionid',
      'hsms.header.ptype',
      'hsms.header.stype',
      'hsms.header.system',
      'hsms.header.wbit',
      'hsms.header.stream',
      'hsms.header.function',
    ],
    'hsms',
  )
  const text = (value: number | null): string => (value === null ? '' : String(value))
  const expected = frames().map(({ direction, length, header }) => [
    direction,
    String(length),
    text(header.session_id),
    text(header.p_type),
    text(header.s_type),
    text(header.system_bytes),
    header.w_bit === null ? '' : String(Number(header.w_bit)),
    text(header.stream),
    text(header.function),
  ])
  const seen = lines.map(([port, length, session, pType, sType, system, wait, ...message]) => [
    port === String(simulator.port) ? 'out' : 'in',
    length,
    session,
    pType,
    sType,
    system,
    wait === 'True' ? '1' : wait === 'False' ? '0' : wait,
    ...message,
  ])
  expect(seen).toEqual(expected)
  const names = new Set(frames().map(({ name }) => name.split(' ')[0]))
  for (const name of [
    'Select.req',
    'Select.rsp',
    'Linktest.req',
    'Linktest.rsp',
    'Separate.req',
    'S1F13',
    'S2F26',
  ])
    expect(names).toContain(name)
  expect(Math.max(...frames().map(({ length }) => length))).toBeGreaterThan(MEGABYTE)
})

/** What Wireshark finds wrong with TCP, with HSMS, or with a checksum. */
const complaintsAbout = (bytes: Uint8Array) =>
  fieldsOf(
    bytes,
    simulator.port,
    ['frame.number', '_ws.expert.message'],
    'tcp.analysis.flags || _ws.malformed || ip.checksum.status == 0 || tcp.checksum.status == 0 || _ws.expert.severity >= "Warning"',
    CHECK_CHECKSUMS,
  )

test('Wireshark has nothing to complain of, in TCP or in HSMS', async () => {
  expect(await complaintsAbout(capture)).toEqual([])
})

test('Wireshark would complain of a bit that is wrong, and of a packet that is missing', async () => {
  const packets = blocksOf(capture)
  const at = packets[9] ?? 0
  const wrong = Buffer.from(capture)
  wrong[at + 28 + 45] = (wrong[at + 28 + 45] ?? 0) ^ 1
  expect(await complaintsAbout(wrong)).not.toEqual([])
  const missing = Buffer.concat([capture.subarray(0, at), capture.subarray(packets[10])])
  expect(await complaintsAbout(missing)).not.toEqual([])
})

test('each connection is one of its own, opened and closed in order', async () => {
  const lines = await fieldsOf(
    capture,
    simulator.port,
    ['tcp.stream', 'tcp.flags.syn', 'tcp.flags.fin', 'tcp.dstport'],
    'tcp.flags.syn == 1 || tcp.flags.fin == 1',
  )
  const truth = (text = ''): string => text.replace('True', '1').replace('False', '0')
  const seen = lines.map(([stream, syn, fin, port]) => [
    stream,
    truth(syn) === '1' ? 'SYN' : truth(fin) === '1' ? 'FIN' : '',
    port === String(simulator.port) ? 'out' : 'in',
  ])
  expect(seen).toEqual(
    ['0', '1'].flatMap((stream) => [
      [stream, 'SYN', 'out'],
      [stream, 'SYN', 'in'],
      [stream, 'FIN', 'out'],
      [stream, 'FIN', 'in'],
    ]),
  )
})

test('times are those of the records, and never go back', async () => {
  const lines = await fieldsOf(capture, simulator.port, ['frame.time_epoch'], 'hsms')
  const times = lines.map(([time]) => Number(time) * 1000)
  expect(times).toEqual([...times].sort((a, b) => a - b))
  for (const [at, { at: told }] of frames().entries()) {
    expect(Math.abs((times[at] ?? 0) - Date.parse(told))).toBeLessThan(1000)
  }
})

test('the capture can be opened at any moment while it grows', async () => {
  const ends = blocksOf(capture)
  for (const share of [0.001, 0.01, 0.3, 0.999]) {
    const end = ends[Math.max(2, Math.floor(share * ends.length))] ?? 0
    const lines = await fieldsOf(capture.subarray(0, end), simulator.port, ['frame.number'], 'frame')
    expect(lines).toHaveLength(Math.max(2, Math.floor(share * ends.length)) - 2)
  }
})

test('a terminal is not given a capture', async () => {
  const command = `${process.execPath} bin/run.js wire capture etcher`
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    env: home.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { code, stdout } = await ended(child)
  expect(code).toBe(2)
  expect(stdout.replace(/\s+/g, ' ')).toContain('name a file, or pipe it into Wireshark')
})
