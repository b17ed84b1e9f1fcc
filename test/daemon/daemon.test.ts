import { get, type IncomingMessage } from 'node:http'
import { createServer } from 'node:net'
import pino from 'pino'
import { expect, test } from 'vitest'
import { type EquipmentRecord, newEquipmentRecord } from '../../src/gateway/records/equipment-record.js'
import { type Clock, systemClock } from '../../src/kit/clock.js'
import { encodeBody } from '../../src/secs2/encode.js'
import { openStore } from '../../src/store/files/data-folder.js'
import { messageEntry } from '../gateway/wire/wire-records.js'
import { scratchFolders } from '../store/scratch-folder.js'
import { FIRST_CERTIFICATE } from '../support/certificates.js'
import { DAEMON_ADMIN, startDaemonHere } from '../support/daemon-here.js'
import { freePort } from '../support/free-port.js'
import { ManualClock } from '../support/manual-clock.js'
import { until } from '../support/until.js'

const folderOf = scratchFolders()
const LOOPBACK = '127.0.0.1'
const bind = (port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(port, LOOPBACK, () => server.close(() => resolve()))
  })

test('a certificate that has expired is served, and the log says when it expired', async () => {
  const warned: string[] = []
  const log = pino({ level: 'warn' }, { write: (line) => void warned.push(line) })
  const start = async (year: number): Promise<void> => {
    const clock: Clock = { ...systemClock, date: () => new Date(`${year}-12-01T00:00:00Z`) }
    const daemon = await startDaemonHere(folderOf(), { tls: FIRST_CERTIFICATE, clock, log })
    await daemon.stop()
  }
  await start(2125)
  expect(warned.filter((line) => line.includes('expired'))).toEqual([])
  await start(2126)
  expect(warned.filter((line) => line.includes('expired'))).toEqual([
    expect.stringContaining('2126-10-28T12:29:12.000Z'),
  ])
})

test('a daemon that cannot serve lets go of its equipment and of its folder', async () => {
  const folder = folderOf()
  const port = await freePort()
  const given = { name: 'dials in', ip_address: LOOPBACK, port, mode: 'active' } as const
  const store = await openStore(folder, { clock: systemClock })
  const equipment = await store.collection<EquipmentRecord>('equipment')
  await equipment.put({ ...newEquipmentRecord('eq_1', given, '2026-01-01T00:00:00.000Z'), enabled: true })
  await store.close()

  const tls = { cert: 'no certificate', key: 'no key' }
  await expect(startDaemonHere(folder, { tls })).rejects.toThrow(/PEM/)
  await bind(port)
  await (await openStore(folder, { clock: systemClock })).close()

  const daemon = await startDaemonHere(folder)
  await expect(bind(port)).rejects.toMatchObject({ code: 'EADDRINUSE' })
  await daemon.stop()
})

test('a daemon that has stopped waits for nothing more', async () => {
  const timers = new Set<object>()
  const clock: Clock = {
    ...systemClock,
    at: (at, run) => {
      const timer = {}
      timers.add(timer)
      const cancel = systemClock.at(at, () => {
        timers.delete(timer)
        run()
      })
      return () => {
        timers.delete(timer)
        cancel()
      }
    },
  }
  const daemon = await startDaemonHere(folderOf(), { clock })
  expect((await fetch(`${daemon.url}/readyz`)).status).toBe(200)
  await daemon.stop()
  expect(timers.size).toBe(0)
})

test('a daemon that is stopped waits a few seconds for a caller that does not take its long answer, no more', async () => {
  const folder = folderOf()
  const clock = new ManualClock()
  const store = await openStore(folder, { clock })
  const body = encodeBody({ format: 'B', value: new Uint8Array(4 * 1024 * 1024) })
  const message = { stream: 7, function: 3, wait: false, sessionId: 0, systemBytes: 1, body }
  await store.journal.append(messageEntry('received', 'eq', message, null, clock.date().toISOString()))
  await store.close()

  const daemon = await startDaemonHere(folder, { clock })
  const login = await fetch(`${daemon.url}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(DAEMON_ADMIN),
  })
  const { token } = (await login.json()) as { token: string }
  const headers = { authorization: `Bearer ${token}` }
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${daemon.url}/api/v1/messages/1`, { headers, agent: false }, resolve).on('error', reject)
  })
  answer.on('error', () => {}).pause()
  const began = clock.now()
  let stopped = false
  const stopping = daemon.stop().then(() => {
    stopped = true
  })
  // Time goes on to what is due, for a few seconds in all, however long that takes here.
  await until(() => {
    const due = clock.next
    if (due !== undefined && due < began + 10_000) clock.advance(due - clock.now())
    return stopped
  })
  await stopping
  expect([answer.statusCode, answer.complete]).toEqual([200, false])
})
