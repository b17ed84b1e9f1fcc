import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runTaps } from '../../src/daemon/taps.js'
import { systemClock } from '../../src/kit/clock.js'
import { runCommand } from '../support/command.js'

test('a process that hangs is not taken for none', async () => {
  const home = mkdtempSync(join(tmpdir(), 'taps-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  mkdirSync(join(home, 'state', 'taps'), { recursive: true })
  writeFileSync(join(home, 'state', 'taps', 'lock'), '4711\n')
  const silent = createServer((socket) => void socket.resume())
  onTestFinished(() => void silent.close())
  await new Promise<void>((resolve) => silent.listen(join(home, 'state', 'taps', 'socket'), resolve))
  const variables = { SECSCTL_HOME: home }
  expect(await runCommand(['tap', 'status'], { variables })).toMatchObject({
    exitCode: 6,
    stderr: expect.stringMatching(/process 4711 does not respond/),
  })
})

test('the process of the taps says how it is; without one the command says when there is one', async () => {
  const home = mkdtempSync(join(tmpdir(), 'taps-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  const status = (...flags: string[]) =>
    runCommand(['tap', 'status', ...flags], { variables: { SECSCTL_HOME: home } })
  expect(await status()).toMatchObject({ exitCode: 6, stdout: '' })
  const taps = await runTaps(join(home, 'state'), systemClock, '1.2.3')
  onTestFinished(() => taps.close())
  const { exitCode, stdout } = await status('--json')
  expect({ exitCode, ...JSON.parse(stdout) }).toMatchObject({
    ...{ exitCode: 0, pid: process.pid, version: '1.2.3', taps: 0, connected: 0, daemon: false },
    ...{ socket: taps.path, waiting_limit_bytes: 64 * 1024 * 1024 },
  })
  const doctor = await runCommand(['doctor', '--json'], { variables: { SECSCTL_HOME: home } })
  const { findings } = JSON.parse(doctor.stdout) as {
    readonly findings: readonly { readonly name: string }[]
  }
  expect(findings.find(({ name }) => name === 'taps')).toMatchObject({
    ...{ area: 'daemon', mark: 'ok' },
    detail: expect.stringContaining('1.2.3'),
  })
})
