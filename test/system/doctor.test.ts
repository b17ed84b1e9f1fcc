import { afterEach, expect, test } from 'vitest'
import type { Finding } from '../../src/cli/doctor/finding.js'
import { Secsctl } from '../support/secsctl.js'
import { type Keeping, UserSession } from './secret-service.js'

const secsctl = new Secsctl()
let session: UserSession | undefined

afterEach(async () => {
  await secsctl.runProcess(['daemon', 'stop'], { env: session?.env ?? {} })
  await session?.close()
  session = undefined
  secsctl.remove()
})

async function examined(keeping: Keeping, more: Record<string, string> = {}): Promise<readonly Finding[]> {
  session = await UserSession.open(keeping)
  const env = { ...session.env, ...more }
  await secsctl.runProcess(['daemon', 'start', '--port', '0'], {
    env: { ...env, SECSCTL_KEYCHAIN: more['SECSCTL_KEYCHAIN'] ? 'file' : '' },
  })
  const { stdout, stderr } = await secsctl.runProcess(['doctor', '--json'], { env })
  expect(stderr).toBe('')
  return (JSON.parse(stdout) as { findings: Finding[] }).findings
}

test('a keyring that is open is reported as where the token is', async () => {
  const findings = await examined('unlocked')
  expect(findings.find(({ name }) => name === 'login')).toMatchObject({
    mark: 'ok',
    detail: expect.stringContaining('token from keyring'),
  })
})

test('a keyring that never answers is given up, and named with what to do', async () => {
  const findings = await examined('silent', { SECSCTL_KEYCHAIN: 'keyring' })
  expect(findings.find(({ name }) => name === 'tokens')).toMatchObject({
    mark: 'wrong',
    detail: expect.stringContaining('the system keychain cannot be used'),
    mend: 'export SECSCTL_KEYCHAIN=file',
  })
  expect(findings.map(({ name }) => name)).toContain('process')
})
