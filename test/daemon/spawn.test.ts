import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type DaemonAddress, readAddress, writeAddress } from '../../src/daemon/address-file.js'
import { findDaemon, startDetached, stopDaemon, takeTurn } from '../../src/daemon/spawn.js'
import { systemClock } from '../../src/kit/clock.js'
import { lockFolder } from '../../src/store/files/disk/lock.js'
import { ManualClock } from '../support/manual-clock.js'
import { until } from '../support/until.js'

test('a daemon that was stopped has no address, even if its process has not ended yet', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'secsctl-spawn-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const deaf =
    "process.on('SIGTERM', () => console.log('asked')); console.log('ready'); setInterval(() => {}, 1000)"
  const child = spawn(process.execPath, ['-e', deaf], { stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const said = () => new Promise((resolve) => child.stdout.once('data', resolve))
  await said()
  const [state, data] = [join(folder, 'state'), join(folder, 'data')]
  const lock = await lockFolder(data)
  await writeAddress(state, {
    url: 'http://127.0.0.1:9',
    pid: child.pid as number,
    data_folder: data,
    log: null,
    flags: [],
    config: null,
    settings: [],
    started_at: '2026-01-01T00:00:00Z',
  } satisfies DaemonAddress)

  const [asked, stopping] = [said(), stopDaemon(state, data, systemClock)]
  await asked
  await lock.release()
  expect(await stopping).toBe('stopped')
  expect(await readAddress(state)).toBeUndefined()
})

/** A clock that goes on by itself, so many milliseconds in each of ours, as far as this process has time. */
function goingOn(ms: number): ManualClock {
  const clock = new ManualClock()
  const ticking = setInterval(() => clock.advance(5 * ms), 5)
  onTestFinished(() => clearInterval(ticking))
  return clock
}

test('a daemon that says in its log how far it is has more than a minute to start', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'secsctl-spawn-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const lines: string[] = []
  const clock = goingOn(10)
  const started = await startDetached({
    command: ['/bin/sh', '-c', 'for n in 1 2 3 4 5 6; do echo "read $n"; sleep 0.2; done; exit 4'],
    env: {},
    stateFolder: join(folder, 'state'),
    dataFolder: join(folder, 'data'),
    clock,
    onLine: (line) => {
      lines.push(line)
      clock.advance(20_000)
    },
  })
  // It ended by itself after two of the clock's minutes.
  expect(started).toMatchObject({ kind: 'failed', exitCode: 4 })
  expect(lines).toEqual(['read 1', 'read 2', 'read 3', 'read 4', 'read 5', 'read 6'])
})

test('a start waits for another one as long as that may take', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'secsctl-spawn-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const other = await lockFolder(folder)
  const clock = goingOn(1000)
  const begun = clock.now()
  const turn = takeTurn(folder, clock)
  await Promise.race([turn, until(() => clock.now() - begun > 20 * 60_000)])
  await other.release()
  await (await turn).release()
})

test('a daemon that neither responds nor logs anything is given up after a minute', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'secsctl-spawn-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const options = { env: {}, stateFolder: join(folder, 'state'), dataFolder: join(folder, 'data') }
  const command = ['/bin/sleep', '20'] as const
  const started = await startDetached({ ...options, command, clock: goingOn(200) })
  expect(started).toMatchObject({ kind: 'failed', exitCode: undefined })
})

test.each([404, 500])(
  'a program that responds with %i in place of the daemon is not called silent',
  async (status) => {
    const folder = mkdtempSync(join(tmpdir(), 'secsctl-spawn-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const server = createServer((_, response) => response.writeHead(status).end())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const started_at = '2026-01-01T00:00:00Z'
    await writeAddress(folder, {
      url,
      pid: process.pid,
      data_folder: folder,
      log: null,
      flags: [],
      started_at,
    })
    await expect(findDaemon(folder, systemClock)).rejects.toThrow('is that of no gateway')
  },
)

/** A process that takes connections as a daemon of this state folder, and responds to none of them. */
const DEAF = `
  const { createServer } = require('node:net')
  const { mkdirSync, writeFileSync } = require('node:fs')
  const server = createServer(() => {}).listen(0, '127.0.0.1', () => {
    const url = 'http://127.0.0.1:' + server.address().port
    const address = { url, pid: process.pid, data_folder: '/', log: null, flags: [], started_at: '' }
    mkdirSync(process.env.STATE, { recursive: true, mode: 0o700 })
    writeFileSync(process.env.STATE + '/daemon.json', JSON.stringify(address), { mode: 0o600 })
  })
  const lines = setInterval(() => console.log('busy'), 50)
  setTimeout(() => clearInterval(lines), 1000)
`

test('a daemon that does not respond at first is waited for as long as it logs anything, and named as silent then', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'secsctl-spawn-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const stateFolder = join(folder, 'state')
  const clock = goingOn(100)
  const begun = clock.now()
  const starting = startDetached({
    command: [process.execPath, '-e', DEAF],
    env: { STATE: stateFolder },
    stateFolder,
    dataFolder: join(folder, 'data'),
    clock,
  })
  await expect(starting).rejects.toMatchObject({ name: 'DaemonSilent' })
  expect(clock.now() - begun).toBeGreaterThan(60_000)
  process.kill((await readAddress(stateFolder))?.pid as number, 'SIGKILL')
})
