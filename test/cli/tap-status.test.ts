import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runTaps } from '../../src/daemon/taps.js'
import { systemClock } from '../../src/kit/clock.js'
import { runCommand } from '../support/command.js'

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
