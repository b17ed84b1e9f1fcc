import { afterAll, beforeAll, expect, test } from 'vitest'
import { signOn } from '../../src/cli/profile/sign-on.js'
import type { SessionCommand } from '../../src/cli/session-command.js'
import { systemClock } from '../../src/kit/clock.js'
import { FakeGateway } from '../support/fake-gateway.js'

const codes = {
  device_code: 'd',
  user_code: 'ABCD\nError: the password has expired',
  verification_uri: 'https://login.fab.example/a\nb',
  verification_uri_complete: null,
  expires_in: 0,
  interval: 5,
}
const gateway = new FakeGateway({ 'POST /auth/sso/device': () => ({ body: codes }) })
beforeAll(() => gateway.listen())
afterAll(() => gateway.close())

test('words of the identity provider stay on their line', async () => {
  const told: string[] = []
  const on = {
    clock: systemClock,
    notice: (text: string) => told.push(text),
    during: (_: string, work: () => Promise<unknown>) => work(),
  } as unknown as SessionCommand
  await expect(signOn(on, gateway.url, false)).rejects.toThrow('in time')
  expect(told.join('\n').split('\n')).toEqual([
    expect.stringContaining('compare the code'),
    '  https://login.fab.example/a\\nb',
    '  ABCD\\nError: the password has expired',
  ])
})
