import { execFile } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openApiDocument } from '../../src/api/openapi/openapi.js'
import { ADMIN, DaemonProcess, Home } from '../support/daemon-process.js'
import { startForeignEquipment } from '../support/foreign-peer.js'

// Clients as others generate them, with the settings that they have without being told any. Apart from the other
// tests, since the generators and the compiler take longer than all that is tested with them.
const cache = join(import.meta.dirname, `../../node_modules/.cache/secsctl/clients-${process.pid}`)
afterAll(() => rmSync(cache, { recursive: true, force: true }))

const run = promisify(execFile)

const USES = `import type { components, paths } from './types.js'
type Schemas = components['schemas']
export const record: Schemas['NewEquipment'] = { name: 'Etch Tool 1', ip_address: '127.0.0.1', port: 5000 }
export const change: Schemas['EquipmentChange'] = { timers: { t3: 20 } }
export const message: Schemas['NewMessage'] = { stream: 1, function: 1 }
export const command: Schemas['NewCommand'] = { command: 'START' }
export const query: paths['/api/v1/events']['get']['parameters']['query'] = { type: 'alarm' }
export const several: typeof query = { type: ['alarm', 'state'] }
export const told = (event: Schemas['Event']): string => {
  switch (event.name) {
    case 'control_state':
      return event.data.to satisfies Schemas['Equipment']['control_state']
    case 'alarm_set':
      return event.data.alid + event.data.count.toFixed()
    case 'message_sent':
    case 'message_received':
      return event.data.sml ?? event.data.direction
    default:
      return event.name
  }
}
`
/** The same with the types of @hey-api/openapi-ts. */
const MORE_USES = `import type { Event } from './sdk/types.gen.js'
export const told = (event: Event): string =>
  event.name === 'alarm_set' ? event.data.alid : event.name === 'control_state' ? event.data.to : event.name
`
const OPTIONS = {
  strict: true,
  noEmit: true,
  target: 'es2022',
  module: 'es2022',
  moduleResolution: 'bundler',
  lib: ['es2022', 'dom', 'dom.iterable'],
  skipLibCheck: true,
  types: [],
}

describe.each([
  ['the whole document', false],
  ['the compact document', true],
])('from %s', (_, isCompact) => {
  const folder = join(cache, String(isCompact))
  const tool = (name: string, ...args: string[]) =>
    run(join(import.meta.dirname, '../../node_modules/.bin', name), args, { cwd: folder })

  /** The generated code, bundled, as the module that it is. */
  // biome-ignore lint/suspicious/noExplicitAny: code that is generated while the test runs
  async function loaded(entry: string): Promise<any> {
    const outfile = join(folder, `${entry.replaceAll('/', '-')}.mjs`)
    await build({
      entryPoints: [join(folder, entry)],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
    })
    return import(pathToFileURL(outfile).href)
  }

  beforeAll(async () => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'openapi.json'), JSON.stringify(openApiDocument('1.2.3', isCompact)))
    writeFileSync(join(folder, 'uses.ts'), USES)
    writeFileSync(join(folder, 'more-uses.ts'), MORE_USES)
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: OPTIONS }))
    await tool('openapi-typescript', 'openapi.json', '-o', 'types.ts')
    await tool('openapi-ts', '-i', 'openapi.json', '-o', 'sdk')
    const zod = { input: './openapi.json', output: { client: 'zod', mode: 'single', target: './zod.ts' } }
    writeFileSync(join(folder, 'orval.config.cjs'), `module.exports = ${JSON.stringify({ zod })}`)
    await tool('orval', '--config', 'orval.config.cjs')
  })

  test('they compile with strict, and require nothing that has a value of its own', async () => {
    await tool('tsc', '-p', '.')
  })

  test('the validators of orval take what the gateway takes, and add nothing to a change', async () => {
    const { createEquipmentBody, updateEquipmentBody, sendMessageBody } = await loaded('zod.ts')
    const given = { name: 'Etch Tool 1', ip_address: '127.0.0.1', port: 5000 }
    expect(createEquipmentBody.parse(given)).toEqual(given)
    expect(createEquipmentBody.safeParse({ ...given, name: ' x' }).success).toBe(false)
    expect(updateEquipmentBody.parse({ port: 5001 })).toEqual({ port: 5001 })
    expect(sendMessageBody.parse({ stream: 1, function: 1 })).toEqual({ stream: 1, function: 1 })
  })

  test('the client of @hey-api/openapi-ts makes all 17 calls of the specification', async () => {
    const sdk = await loaded('sdk/sdk.gen.ts')
    const home = new Home()
    const equipment = await startForeignEquipment({ deviceId: 7 })
    const daemon = await DaemonProcess.start(home)
    let token = ''
    const call = async (name: string, given: object = {}) => {
      const headers = token === '' ? {} : { authorization: `Bearer ${token}` }
      const { data, error, response } = await sdk[name]({
        baseUrl: new URL(daemon.url).origin,
        headers,
        ...given,
      })
      expect([response.ok, error], name).toEqual([true, undefined])
      return data
    }
    try {
      token = (await call('login', { body: ADMIN })).token
      token = (await call('refresh')).token
      const body = {
        name: 'Etch Tool 1',
        ip_address: '127.0.0.1',
        port: equipment.port,
        mode: 'passive',
        device_id: 7,
        session_id: 65535,
      }
      const { id } = await call('createEquipment', { body })
      const path = { id }
      expect((await call('listEquipment')).items).toHaveLength(1)
      await call('updateEquipment', { path, body: { name: 'Etch Tool 2' } })
      expect(await call('getEquipment', { path })).toMatchObject({ name: 'Etch Tool 2', gem_startup: true })
      expect(await call('connectEquipment', { path })).toMatchObject({ communication_state: 'COMMUNICATING' })
      const { message } = await call('sendMessage', { path, body: { stream: 1, function: 1 } })
      await call('sendCommand', { path, body: { command: 'START', parameters: { LOTID: 'L1' } } })
      expect(await call('getMessage', { path: { id: message.id } })).toMatchObject({
        equipment_name: 'Etch Tool 2',
      })
      expect((await call('listMessages', { query: { equipment_id: id, limit: 5 } })).items.length).toBe(5)
      expect((await call('listEvents', { query: { type: 'connection' } })).items.length).toBeGreaterThan(1)
      const types = { type: ['connection', 'state'], equipment_id: [id] }
      const { items: events } = await call('listEvents', { query: { ...types, limit: 1000 } })
      expect(new Set(events.map((event: { type: string }) => event.type))).toEqual(new Set(types.type))
      const { listEventsResponse } = await loaded('zod.ts')
      for (const event of events) expect(listEventsResponse.shape.items.element.parse(event)).toEqual(event)
      const wrong = { ...events[0], name: 'alarm_set' }
      expect(listEventsResponse.shape.items.element.safeParse(wrong).success).toBe(false)
      expect((await call('listAlarms')).items).toEqual([])
      const missing = await sdk.acknowledgeAlarm({
        baseUrl: new URL(daemon.url).origin,
        headers: { authorization: `Bearer ${token}` },
        path: { id: '1' },
      })
      expect([missing.response.status, missing.error.code]).toEqual([404, 'alarm_not_found'])
      await call('disconnectEquipment', { path })
      await call('deleteEquipment', { path })
      await call('logout')
    } finally {
      await daemon.end('SIGTERM')
      await equipment.stop()
      home.dispose()
    }
  })
})
