import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type DaemonAddress, readAddress, writeAddress } from '../../src/daemon/address-file.js'
import { stopDaemon } from '../../src/daemon/spawn.js'
import { systemClock } from '../../src/kit/clock.js'
import { lockFolder } from '../../src/store/files/disk/lock.js'

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
