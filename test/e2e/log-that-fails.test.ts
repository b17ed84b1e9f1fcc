import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Home } from '../support/daemon-process.js'
import { PlainClient } from '../support/plain-client.js'
import { until } from '../support/until.js'

let home: Home
let child: ReturnType<typeof spawn>

beforeEach(() => {
  home = new Home()
})
afterEach(() => {
  child.kill('SIGKILL')
  home.dispose()
})

const COMMAND = [process.execPath, 'bin/run.js', 'daemon', 'run', '--port', '0'] as const

/** A daemon whose standard error is `stderr`; where it listens. No file of it may grow beyond `kibibytes`. */
async function started(stderr: number | 'pipe', kibibytes?: number): Promise<string> {
  const limit = kibibytes === undefined ? '' : `ulimit -f ${kibibytes * 2}; `
  child = spawn('sh', ['-c', `${limit}exec "$@"`, 'sh', ...COMMAND], {
    env: home.env,
    stdio: ['ignore', 'pipe', stderr],
  })
  let output = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  await until(() => output.includes('listening on '))
  return /listening on (\S+)/.exec(output)?.[1] ?? ''
}

/** The daemon answers `count` requests with long lines in the log, drops so many lines, and ends in order. */
async function serves(url: string, count: number, minDropped: number): Promise<void> {
  const client = await new PlainClient(url).login()
  for (let at = 0; at < count; at += 20) {
    const answers = Array.from({ length: 20 }, () => client.get(`/equipment/${'x'.repeat(450)}`))
    for (const { status } of await Promise.all(answers)) expect(status).toBe(400)
  }
  // A line is dropped when its write has failed.
  await until(async () => {
    const metrics = await (await fetch(`${url}/metrics`)).text()
    return Number(/^secsctl_log_lines_dropped_total (\d+)$/m.exec(metrics)?.[1]) >= minDropped
  })
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
}

test('a log whose lines fit in part only is no reason to stand still: the lines are dropped and counted', async () => {
  const log = join(home.folder, 'log')
  // What a full disk does to a file, a limit on its size does, too: it takes the first bytes of a line.
  writeFileSync(log, 'x'.repeat(1024 * 1024 - 2500))
  const file = openSync(log, 'a')
  const url = await started(file, 1024)
  closeSync(file)
  await serves(url, 20, 16)
  expect(readFileSync(log).length).toBe(1024 * 1024)
})

test('a log that takes nothing is no reason to stand still', async () => {
  const file = openSync('/dev/full', 'w')
  const url = await started(file)
  closeSync(file)
  await serves(url, 20, 20)
})

test('a pipe that nobody reads is no reason to stand still', async () => {
  const url = await started('pipe')
  // 64 KiB are in the pipe, and 256 KiB wait, of lines with about 600 bytes.
  await serves(url, 800, 100)
})

test('a log whose reader is gone is no reason to end', async () => {
  const url = await started('pipe')
  child.stderr?.destroy()
  await serves(url, 20, 18)
})
