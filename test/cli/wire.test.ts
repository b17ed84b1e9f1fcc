import { spawn } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { controlPassing, dataPassing } from '../gateway/wire/wire-records.js'
import { ended, lineOf, type Ran, Secsctl } from '../support/secsctl.js'
import { NO_TRAFFIC, ServedGateway } from '../support/served-gateway.js'
import { until } from '../support/until.js'

const AT = '2026-01-01T00:00:00.000Z'

const secsctl = new Secsctl()
const gateway = new ServedGateway()
let app: FastifyInstance
let env: Record<string, string>

beforeAll(async () => {
  app = await gateway.app()
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  env = { SECSCTL_URL: url, SECSCTL_TOKEN: await gateway.tokenOf('viewer') }
})
afterAll(async () => {
  await app.close()
  secsctl.remove()
})

/** Runs a command that watches; what passes begins when it does. */
async function watching(args: string[], pass: () => void): Promise<Ran> {
  const child = secsctl.start(args, env)
  const ran = ended(child)
  await until(async () => gateway.watched)
  pass()
  const result = await ran
  await until(async () => !gateway.watched)
  return result
}

const passTwo = (): void => {
  gateway.wire.wire.emit(dataPassing('out'))
  gateway.wire.wire.emit(controlPassing('in', 'linktestReq'))
}

describe('wire tail', () => {
  test('in a pipe prints a line of tab-separated values a record', async () => {
    const { code, stdout, stderr } = await watching(['wire', 'tail', 'etcher', '-n', '2'], passTwo)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const [first, message = '', control] = stdout.split('\n')
    expect(first).toBe(`${AT}\twatching\t\t\t\t\t\t\t\t\t`)
    expect(message.replace(/S1F13[^\t]*/, 'S1F13')).toBe(`${AT}\tframe\tout\tS1F13\tW\t0\t42\t12\t\t\t`)
    expect(control).toBe(`${AT}\tframe\tin\tLinktest.req\t\t65535\t1\t10\t\t\t`)
  })

  test('with --json prints the records of the API, one object a line', async () => {
    const { code, stdout } = await watching(['wire', 'tail', 'etcher', '--count=2', '--json'], passTwo)
    expect(code).toBe(0)
    const records = stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
    expect(records).toMatchObject([
      { kind: 'watching' },
      { kind: 'frame', direction: 'out', sml: 'S1F13 W\n<L [0]>.' },
      { kind: 'frame', direction: 'in', name: 'Linktest.req' },
    ])
  })

  test('of several, each record has the name of its equipment, and the count is for all of them', async () => {
    const json = await watching(['wire', 'tail', 'etch*', '-n', '2', '--json'], passTwo)
    expect(json.code).toBe(0)
    const records = json.stdout.trim().split('\n')
    expect(records.map((line) => (JSON.parse(line) as { equipment: string }).equipment)).toEqual(
      Array(3).fill('etcher'),
    )
    const lines = await watching(['wire', 'tail', '--all', '-n', '2'], passTwo)
    expect(lines.stdout.split('\n')[1]).toMatch(new RegExp(`^etcher\\t${AT}\\tframe\\tout\\t`))
  })

  test('ends with 7 when nothing passes for too long', async () => {
    const args = ['wire', 'tail', 'etcher', '--idle-timeout', '300ms', '-o', 'sml']
    const { code, stdout, stderr } = await secsctl.run(args, { env })
    expect([code, stdout]).toEqual([7, ''])
    expect(stderr).toContain('nothing passed for 300ms')
    await until(async () => !gateway.watched)
  })

  test('continues when the gateway comes back, says so, and counts on', async () => {
    const child = secsctl.start(['wire', 'tail', 'etcher', '-n', '2', '--json'], env)
    const ran = ended(child)
    await until(async () => gateway.watched)
    gateway.wire.wire.emit(dataPassing('out'))
    await lineOf(child, /"frame"/)
    const { watches } = gateway
    gateway.watch.end()
    await until(async () => gateway.watches > watches)
    gateway.wire.wire.emit(controlPassing('in', 'linktestReq'))
    const { code, stdout } = await ran
    const kinds = stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => (JSON.parse(line) as { kind: string }).kind)
    expect({ code, kinds }).toEqual({ code: 0, kinds: ['watching', 'frame', 'watching', 'frame'] })
  })

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('ends with the code of %s', async (signal, code) => {
    const child = secsctl.start(['wire', 'tail', 'etcher'], env)
    const ran = ended(child)
    await until(async () => gateway.watched)
    child.kill(signal)
    expect(await ran).toMatchObject({ code, stderr: '' })
  })

  test('ends quietly when its reader has seen enough', async () => {
    const child = secsctl.start(['wire', 'tail', 'etcher'], env)
    const ran = ended(child)
    await until(async () => gateway.watched)
    child.stdout?.destroy()
    passTwo()
    expect(await ran).toMatchObject({ code: 0, stderr: '' })
  })

  test('ends when its reader is gone, also while nothing passes', async () => {
    const child = spawn('sh', ['-c', '"$0" bin/run.js wire tail etcher | head -n 1', process.execPath], {
      env: secsctl.environment(env),
    })
    expect(await ended(child)).toMatchObject({
      code: 0,
      stdout: `${AT}\twatching\t\t\t\t\t\t\t\t\t\n`,
      stderr: '',
    })
    await until(async () => !gateway.watched)
  })

  test('of an equipment that is not there ends with 3', async () => {
    expect(await secsctl.run(['wire', 'tail', 'coater'], { env })).toMatchObject({ code: 3, stdout: '' })
  })
})

describe('wire capture', () => {
  const file = join(secsctl.home, 'etcher.pcapng')

  test('writes a file of its own, for its owner alone', async () => {
    const args = ['wire', 'capture', 'etcher', '--count', '1', '--file', file]
    gateway.wire.endpoints = { local: '10.0.0.1:40000', remote: '10.0.0.5:5000' }
    const { code, stdout, stderr } = await watching(args, passTwo)
    expect([code, stdout]).toEqual([0, ''])
    expect(stderr).toContain(`wireshark -d tcp.port==5000,hsms ${file}`)
    const bytes = readFileSync(file)
    expect(stderr).toContain(`${bytes.length} bytes in ${file}`)
    expect(bytes.subarray(0, 4).toString('hex')).toBe('0a0d0d0a')
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test('of several is a file for each, in a folder that is made', async () => {
    const pattern = join(secsctl.home, 'captures', '{equipment}.pcapng')
    const args = ['wire', 'capture', 'etch*', '--count', '1', '--file', pattern]
    const { code, stderr } = await watching(args, passTwo)
    expect({ code, summary: stderr.split('\n').at(-2) }).toEqual({ code: 0, summary: '1 done' })
    const written = join(secsctl.home, 'captures', 'etcher.pcapng')
    expect(readFileSync(written).subarray(0, 4).toString('hex')).toBe('0a0d0d0a')
    const one = await secsctl.run(['wire', 'capture', '--all', '--file', file], { env })
    expect(one).toMatchObject({ code: 2, stderr: expect.stringContaining('{equipment}') })
  })

  test('never writes over a file', async () => {
    writeFileSync(file, 'dear to somebody')
    const args = ['wire', 'capture', 'etcher', '--count', '1', '--file', file]
    const { code, stderr } = await secsctl.run(args, { env })
    expect(code).toBe(2)
    expect(stderr).toContain('is there already')
    expect(readFileSync(file, 'utf8')).toBe('dear to somebody')
    await until(async () => !gateway.watched)
  })

  test('into a pipe writes whole blocks, whenever it is interrupted', async () => {
    const child = secsctl.start(['wire', 'capture', 'etcher'], env)
    const chunks: Buffer[] = []
    child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk))
    const over = new Promise<number | null>((resolve) => child.once('close', resolve))
    await until(async () => gateway.watched)
    const body = Buffer.alloc(3_000_000)
    gateway.wire.wire.emit(dataPassing('in', { body }))
    await until(async () => chunks.length > 3)
    child.kill('SIGINT')
    expect(await over).toBe(130)
    const bytes = Buffer.concat(chunks)
    let at = 0
    while (at < bytes.length) at += bytes.readUInt32LE(at + 4)
    expect(at).toBe(bytes.length)
  })
})

test('equipment traffic prints what was counted once, and what was counted each way', async () => {
  const way = { ...NO_TRAFFIC.in, frames: 3, bytes: 99 }
  const name = 'S6F11 Event Report Send'
  const messages = [{ stream: 6, function: 11, name, frames: 2, bytes: 80 }]
  gateway.counted = { ...NO_TRAFFIC, connects: 4, in: { ...way, messages }, out: way }
  const { code, stdout } = await secsctl.run(['equipment', 'traffic', 'etcher'], { env })
  expect(code).toBe(0)
  const lines = stdout.split('\n')
  expect(lines).toEqual(
    expect.arrayContaining([
      'connections\t4',
      'lost\tnone',
      'messages\t3\t3',
      'bytes\t99\t99',
      'S6F11 Event Report Send\t2\t0',
    ]),
  )
  const json = await secsctl.run(['equipment', 'traffic', 'etcher', '--json'], { env })
  expect(JSON.parse(json.stdout)).toEqual(gateway.counted)
})
