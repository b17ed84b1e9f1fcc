import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../src/kit/clock.js'
import { shippedModel } from '../../src/simulator/shipped-models.js'
import { Simulator } from '../../src/simulator/simulator.js'
import { ADMIN, DaemonProcess, Home } from '../support/daemon-process.js'
import { freePort } from '../support/free-port.js'
import { until } from '../support/until.js'

/** The examples of docs/client.md, in a folder where the package is installed as it is published. */
const folder = mkdtempSync(join(tmpdir(), 'secsctl-client-'))
const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const blocks = [...readFileSync(join(root, 'docs/client.md'), 'utf8').matchAll(/```ts\n([\s\S]*?)```/g)]
const examples = blocks.map(([, text = ''], at) => ({ file: `example-${at + 1}.ts`, text }))

const WRONG = `import { connect } from 'secsctl/client'
const gateway = connect({ url: 'http://127.0.0.1:1' })
// @ts-expect-error: there is no such operation
await gateway.call('listTools')
// @ts-expect-error: the id is missing
await gateway.call('getEquipment')
// @ts-expect-error: the stream is no number
await gateway.call('sendMessage', { params: { id: 'eq_1' }, body: { stream: 'one', function: 1 } })
const equipment = await gateway.call('getEquipment', { params: { id: 'eq_1' } })
// @ts-expect-error: no state is named so
export const isUp = equipment.connection_state === 'UP'
`

const home = new Home()
let daemon: DaemonProcess
let simulator: Simulator
let env: NodeJS.ProcessEnv

async function program(file: string): Promise<string> {
  const js = file.replace(/ts$/, 'mjs')
  const { stdout } = await run(process.execPath, [join(folder, 'out', js.replace('mjs', 'js'))], { env })
  return stdout
}

beforeAll(async () => {
  const packed = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: root,
  })
  const [{ filename }] = JSON.parse(packed.stdout) as [{ filename: string }]
  await run('tar', ['-xzf', join(folder, filename), '-C', folder])
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(join(folder, 'package'), join(folder, 'node_modules', 'secsctl'))
  mkdirSync(join(folder, 'node_modules', '@types'))
  symlinkSync(join(root, 'node_modules/@types/node'), join(folder, 'node_modules/@types/node'))
  symlinkSync(join(root, 'node_modules/undici-types'), join(folder, 'node_modules/undici-types'))
  for (const { file, text } of [...examples, { file: 'wrong.ts', text: WRONG }])
    writeFileSync(join(folder, file), text)
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')

  // It starts again on its port, which no outgoing connection takes meanwhile.
  daemon = await DaemonProcess.start(home, ['--port', String(await freePort())])
  const model = shippedModel('etcher')
  if (!model) throw new Error('no etcher')
  const place = { role: 'passive', host: '127.0.0.1', port: 0 } as const
  simulator = new Simulator(model, place, { clock: systemClock })
  await simulator.start()
})

afterAll(async () => {
  await simulator?.stop()
  await daemon?.end('SIGTERM')
  home.dispose()
  rmSync(folder, { recursive: true, force: true })
})

test.each(['nodenext', 'bundler'])(
  'the examples compile with strict and moduleResolution %s',
  async (resolution) => {
    const compilerOptions = {
      strict: true,
      target: 'es2023',
      module: resolution === 'bundler' ? 'preserve' : 'nodenext',
      moduleResolution: resolution,
      outDir: 'out',
      types: ['node'],
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
    await run(join(root, 'node_modules/.bin/tsc'), ['-p', folder]).catch(({ stdout }) => {
      throw new Error(stdout)
    })
  },
)

test('the examples run', async () => {
  const { connect, GatewayError, GatewayUnreachable } = await import(
    join(folder, 'package/dist/client/index.mjs')
  )
  const gateway = connect({ url: daemon.url })
  const { token } = await gateway.logIn(ADMIN.email, ADMIN.password)
  env = { ...process.env, SECSCTL_URL: daemon.url, SECSCTL_PASSWORD: ADMIN.password, SECSCTL_TOKEN: token }
  const body = { name: 'etcher', ip_address: '127.0.0.1', port: simulator.port }
  const { id } = await gateway.call('createEquipment', { body })
  await gateway.call('connectEquipment', { params: { id } })

  expect(await program('example-1.ts')).toBe('etcher SELECTED ok\n')
  expect(await program('example-2.ts')).toContain('ETCHER')
  let raised = false
  const alarm = program('example-3.ts')
  const raising = setInterval(() => {
    raised = !raised
    void simulator.equipment.changeAlarm('4001', raised)
  }, 200)
  expect(await alarm).toContain('etcher')
  clearInterval(raising)
  expect(await program('example-4.ts')).toBe('')

  await expect(gateway.call('getEquipment', { params: { id: 'eq_none' } })).rejects.toMatchObject({
    name: 'GatewayError',
    status: 404,
    code: 'equipment_not_found',
  })
  await expect(connect({ url: daemon.url }).call('listEquipment')).rejects.toBeInstanceOf(GatewayError)
  await expect(connect({ url: 'http://127.0.0.1:1' }).call('listEquipment')).rejects.toBeInstanceOf(
    GatewayUnreachable,
  )
})

test('a loop over events continues after the gateway restarted, without a gap or a repeat', async () => {
  const { connect } = await import(join(folder, 'package/dist/client/index.mjs'))
  const gateway = connect({ url: daemon.url })
  await gateway.logIn(ADMIN.email, ADMIN.password)
  const over = new AbortController()
  const ids: string[] = []
  const following = (async () => {
    for await (const { id } of gateway.events({ after: '0' }, { signal: over.signal })) ids.push(id)
  })()
  await until(() => ids.length > 0)
  const port = new URL(daemon.url).port
  await daemon.end('SIGKILL')
  daemon = await DaemonProcess.start(home, ['--port', port])
  const { items } = await gateway.call('listEvents', { query: { order: 'asc', limit: 1000 } })
  await until(() => ids.length >= items.length)
  over.abort()
  await following
  expect(ids.slice(0, items.length)).toEqual(items.map(({ id }: { readonly id: string }) => id))
})

test('nothing else of the package can be imported', async () => {
  const source = join(folder, 'other.mjs')
  writeFileSync(source, "await import('secsctl/dist/run.js')")
  await expect(run(process.execPath, [source])).rejects.toMatchObject({
    stderr: expect.stringContaining('ERR_PACKAGE_PATH_NOT_EXPORTED'),
  })
})
