import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type RunningTaps, runTaps, TapPathTooLong, tapSocket } from '../../src/daemon/taps.js'
import { systemClock } from '../../src/kit/clock.js'

let folder: string
let running: RunningTaps[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'taps-'))
  running = []
})
afterEach(async () => {
  for (const one of running) await one.close()
  rmSync(folder, { recursive: true, force: true })
})

async function run(): Promise<RunningTaps> {
  const taps = await runTaps(folder, systemClock, '1.2.3')
  running.push(taps)
  return taps
}
const modeOf = (path: string): number => statSync(path).mode & 0o777

test('only its user reaches the process, also where it is started before the folder is there', async () => {
  const { path } = await run()
  expect([modeOf(path), modeOf(join(folder, 'taps'))]).toEqual([0o600, 0o700])
})

test('an empty folder that others may enter is closed to them, and one with something in it is refused', async () => {
  const taps = join(folder, 'taps')
  mkdirSync(taps)
  chmodSync(taps, 0o755)
  const first = await run()
  expect(modeOf(taps)).toBe(0o700)
  await first.close()
  chmodSync(taps, 0o755)
  await expect(run()).rejects.toMatchObject({ name: 'NotPrivate' })
})

test('what a killed process has left is no obstacle; a second process beside the first is refused', async () => {
  mkdirSync(join(folder, 'taps'), { mode: 0o700 })
  writeFileSync(tapSocket(folder), '')
  const { path } = await run()
  await expect(runTaps(folder, systemClock, '1.2.3')).rejects.toMatchObject({ name: 'FolderLocked' })
  // The one that was refused has not taken the socket away.
  await new Promise<void>((resolve, reject) => {
    const socket = connect(path, () => resolve(void socket.destroy()))
    socket.on('error', reject)
  })
})

test('one that has ended leaves neither socket nor lock', async () => {
  const first = await run()
  await first.close()
  expect(existsSync(first.path)).toBe(false)
  await run()
})

test('a path that is too long for a local socket is named, with what mends it', () => {
  const long = join(folder, 'x'.repeat(110))
  expect(() => tapSocket(long)).toThrow(TapPathTooLong)
  expect(() => tapSocket(long)).toThrow('SECSCTL_HOME')
  // Bytes count, not characters.
  const rest = 103 - Buffer.byteLength(join(folder, 'taps', 'socket')) - 1
  expect(tapSocket(join(folder, 'x'.repeat(rest)))).toHaveLength(103)
  expect(() => tapSocket(join(folder, 'ä'.repeat(rest)))).toThrow(TapPathTooLong)
})

test('on Windows it is a pipe whose name depends on the folder, and is short', () => {
  const names = ['C:\\one', 'C:\\two', `C:\\${'x'.repeat(300)}`].map((path) => tapSocket(path, 'win32'))
  expect(new Set(names).size).toBe(3)
  for (const name of names) expect(name).toMatch(/^\\\\\.\\pipe\\secsctl-taps-[0-9a-f]{32}$/)
})
