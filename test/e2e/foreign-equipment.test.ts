import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  FOREIGN_MDLN,
  FOREIGN_SOFTREV,
  type RemoteEquipment,
  startForeignEquipment,
} from '../support/foreign-peer.js'
import { freePort } from '../support/free-port.js'
import { Secsctl } from '../support/secsctl.js'
import { until } from '../support/until.js'

// The main job from the command line, with equipment that somebody else programmed: one that listens, and one
// that dials in.
const secsctl = new Secsctl()
const run = (...args: string[]) => secsctl.run(args)
let listening: RemoteEquipment
let dialling: RemoteEquipment

beforeAll(async () => {
  listening = await startForeignEquipment({ deviceId: 3 })
  await run('daemon', 'start', '--port', '0', '--hsms-host', '127.0.0.1')
})

afterAll(async () => {
  await run('daemon', 'stop')
  await listening.stop()
  await dialling?.stop()
  secsctl.remove()
})

test('it connects: Select, and S1F13 from our side', async () => {
  await run('equipment', 'add', 'aligner', '--address', `127.0.0.1:${listening.port}`, '--device-id', '3')
  const { code, stdout } = await run('equipment', 'connect', 'aligner')
  expect(code).toBe(0)
  expect(stdout).toContain('SELECTED\tCOMMUNICATING')
  expect(listening.received[0]).toMatchObject({ stream: 1, function: 13, wait: true })
})

test('it answers S1F1, as SML and as JSON', async () => {
  const sml = `S1F2\n<L [2]\n  <A "${FOREIGN_MDLN}">\n  <A "${FOREIGN_SOFTREV}">\n>.\n`
  expect(await run('send', 'aligner', 'S1F1')).toMatchObject({ code: 0, stdout: sml })
  const { stdout } = await run('send', 'aligner', 'S1F1 W.', '--json')
  expect(JSON.parse(stdout).reply.data).toEqual({ MDLN: FOREIGN_MDLN, SOFTREV: FOREIGN_SOFTREV })
})

test('it runs a command, and its refusal is exit code 8', async () => {
  expect(await run('command', 'aligner', 'START', 'LOTID=L1')).toMatchObject({ code: 0 })
  expect(listening.received.findLast(({ stream }) => stream === 2)?.sml).toContain('LOTID')
  expect(await run('command', 'aligner', 'DANCE')).toMatchObject({ code: 8 })
})

test('its S1F13 is answered, and its alarm and its event are recorded before they are', async () => {
  expect(await listening.establish()).toMatchObject({ stream: 1, function: 14 })
  expect((await listening.sendAlarm()).sml).toContain('0x00')
  const alarms = JSON.parse((await run('alarms', 'list', '--json')).stdout)
  expect(alarms).toMatchObject([{ alid: '7', text: 'Foreign alarm', active: true }])
  expect((await listening.sendEvent()).sml).toContain('0x00')
  // After it the gateway asks what the report holds. Its answer leaves first, and is recorded then.
  const event = await until(async () => {
    const messages = JSON.parse((await run('messages', 'list', '--json')).stdout)
    const found = messages.find(({ function: fn }: { function: number }) => fn === 11)
    return found.outcome === 'replied' ? found : undefined
  })
  expect(event).toMatchObject({ name: 'S6F11 Event Report Send' })
  expect(event.data).toEqual({ DATAID: '1', CEID: '42', REPORTS: [{ RPTID: '1', V: ['LOT-1', '3'] }] })
})

test('equipment that dials in is awaited, selects us, and answers as well', async () => {
  const port = await freePort()
  await run('equipment', 'add', 'sorter', '--address', `127.0.0.1:${port}`, '--mode', 'active')
  await run('equipment', 'connect', 'sorter', '--wait', '0s')
  dialling = await startForeignEquipment({ role: 'active', port })
  expect(await run('equipment', 'wait', 'sorter', '--for', 'communicating')).toMatchObject({ code: 0 })
  expect((await run('send', 'sorter', 'S1F1')).stdout).toContain(FOREIGN_MDLN)
})
