import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FakeGateway, problem } from '../../support/fake-gateway.js'
import { Secsctl } from '../../support/secsctl.js'

const ann = {
  ...{ id: 'usr_1', email: 'ann@fab.example', name: 'Ann', role: 'viewer' },
  created_at: '2026-03-01T08:00:00.000Z',
}
const secsctl = new Secsctl()
const gateway = new FakeGateway({
  'GET /users/me': () => ({ body: ann }),
  'GET /users': () => ({ status: 403, body: problem(403, 'forbidden', 'A viewer may not list users.') }),
  'PUT /users/me/password': () => ({
    body: { token: 'fresh', expires_at: '2999-01-01T00:00:00.000Z', user: ann },
  }),
})
const tokens = join(secsctl.home, 'config', 'tokens.json')

beforeAll(async () => {
  const url = await gateway.listen()
  await secsctl.run(['profiles', 'add', 'fab', '--url', url])
  const login = JSON.stringify({ token: 'old', expires_at: '2999-01-01T00:00:00.000Z' })
  writeFileSync(tokens, JSON.stringify({ [`fab ${url}`]: login }), { mode: 0o600 })
})
afterAll(async () => {
  await gateway.close()
  secsctl.remove()
})

const change = (user: string, input = 'the old password\nthe new password\n') =>
  secsctl.run(['users', 'passwd', user, '--password-stdin', '--profile', 'fab', '--json'], { input })

test.each(['ANN@fab.example', 'usr_1'])(
  'users passwd %s of the user who is logged in changes the own password',
  async (user) => {
    gateway.calls.splice(0)
    const { code, stdout } = await change(user)
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual(ann)
    expect(gateway.calls.find(({ method }) => method === 'PUT')?.body).toEqual({
      current_password: 'the old password',
      new_password: 'the new password',
    })
    expect(readFileSync(tokens, 'utf8')).toContain('fresh')
  },
)

test('another user is for administrators alone', async () => {
  gateway.calls.splice(0)
  expect(await change('bob@fab.example')).toMatchObject({ code: 4, stdout: '' })
  expect(gateway.calls.map(({ method }) => method)).not.toContain('PUT')
})

test('the new password alone is not enough for the own one', async () => {
  gateway.calls.splice(0)
  const { code, stderr } = await change('usr_1', 'the new password\n')
  expect(code).toBe(2)
  expect(stderr).toContain('takes two lines on standard input')
  expect(gateway.calls.map(({ method }) => method)).not.toContain('PUT')
})
