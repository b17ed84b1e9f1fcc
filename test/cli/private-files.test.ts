import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FakeGateway } from '../support/fake-gateway.js'
import { Secsctl } from '../support/secsctl.js'

let secsctl: Secsctl
beforeEach(() => {
  secsctl = new Secsctl()
})
afterEach(async () => {
  await secsctl.run(['daemon', 'stop'])
  secsctl.remove()
})

/** A file in the home of secsctl. */
function file(...names: readonly string[]): string {
  const path = join(secsctl.home, ...names)
  mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 })
  return path
}

test('a log that is a symbolic link is not followed', async () => {
  const victim = file('victim')
  writeFileSync(victim, 'keep me')
  symlinkSync(victim, file('state', 'daemon.log'))
  const { code, stderr } = await secsctl.run(['daemon', 'start', '--port', '0'])
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/daemon\.log is a symbolic link.*\nTry: ls -l /),
  })
  expect(readFileSync(victim, 'utf8')).toBe('keep me')
})

test('a signing key that others can read keeps the daemon from starting, until the command has been run', async () => {
  const start = () => secsctl.run(['daemon', 'start', '--port', '0'])
  expect(await start()).toMatchObject({ code: 0 })
  await secsctl.run(['daemon', 'stop'])
  const key = file('data', 'signing-key')
  chmodSync(key, 0o644)
  expect(await start()).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/signing-key is open to other users \(mode 0644\)\nTry: chmod 600 /),
  })
  chmodSync(key, 0o600)
  expect(await start()).toMatchObject({ code: 0 })
})

test('a token that others could have read is not used', async () => {
  const gateway = new FakeGateway({ 'GET /equipment': () => ({ body: { items: [], next_cursor: null } }) })
  const url = await gateway.listen()
  const token = file('token')
  writeFileSync(token, 'secret', { mode: 0o644 })
  const list = () => secsctl.run(['equipment', 'list', '--url', url], { env: { SECSCTL_TOKEN_FILE: token } })
  expect(await list()).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/token is open to other users .*\nTry: chmod 600 /),
  })
  chmodSync(token, 0o600)
  expect(await list()).toMatchObject({ code: 0 })
  const kept = file('config', 'tokens.json')
  writeFileSync(kept, '{}', { mode: 0o604 })
  expect(await secsctl.run(['equipment', 'list', '--url', url])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('tokens.json is open to other users'),
  })
  rmSync(kept)
  await gateway.close()
})

test.each([
  '{"token":5}',
  '{"token":{"x":1},"expires_at":7}',
  '"text"',
  '[]',
  '5',
  'null',
  '{"secret":{"email":1}}',
])('a kept token that is none, %s, is as if nobody were logged in', async (entry) => {
  const gateway = new FakeGateway({})
  const url = await gateway.listen()
  await secsctl.run(['profiles', 'add', 'fab', '--url', url])
  writeFileSync(file('config', 'tokens.json'), JSON.stringify({ [`fab ${url}`]: entry, local: entry }), {
    mode: 0o600,
  })
  const list = await secsctl.run(['equipment', 'list', '--profile', 'fab'])
  expect([list.code, list.stderr]).toEqual([4, expect.stringMatching(/not logged in|Nobody is logged in/i)])
})
