import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunningDaemon } from '../../src/daemon/daemon.js'
import { DAEMON_ADMIN, startDaemonHere } from '../support/daemon-here.js'
import { PlainClient } from '../support/plain-client.js'

const folder = mkdtempSync(join(tmpdir(), 'secsctl-revisions-'))
let daemon: RunningDaemon
let client: PlainClient
beforeAll(async () => {
  daemon = await startDaemonHere(folder)
  client = new PlainClient(daemon.url)
  client.token = (await client.call('POST', '/auth/login', DAEMON_ADMIN)).body.token
})
afterAll(async () => {
  await daemon.stop()
  rmSync(folder, { recursive: true, force: true })
})

const EQUIPMENT = {
  name: 'etcher',
  ip_address: '127.0.0.1',
  port: 9,
  mode: 'passive',
  device_id: 0,
  session_id: 65535,
}
const USER = { email: 'eva@example.com', name: 'Eva', role: 'viewer', password: 'a password that is long' }
const KEY = { name: 'mes', role: 'viewer', expires_at: null }

test.each<readonly [path: string, given: object, change: object | undefined]>([
  ['/equipment', EQUIPMENT, { port: 10 }],
  ['/sinks', { name: 'all', file: { file: 'all.ndjson' } }, { types: ['alarm'] }],
  ['/users', USER, { name: 'Eve' }],
  ['/keys', KEY, undefined],
])('%s: a record that was changed since is neither changed nor deleted', async (list, given, change) => {
  const { id } = (await client.call('POST', list, given)).body
  const path = `${list}/${id}`
  const etag = (await client.call('GET', path)).headers.get('etag') ?? ''
  expect(etag).not.toBe('')
  if (change) {
    const stale = { 'if-match': '"0-0"' }
    expect((await client.call('PUT', path, change, stale)).body.code).toBe('revision_mismatch')
    expect((await client.call('PUT', path, change, { 'if-match': etag })).status).toBe(200)
    expect((await client.call('DELETE', path, undefined, { 'if-match': etag })).body.code).toBe(
      'revision_mismatch',
    )
  }
  const current = (await client.call('GET', path)).headers.get('etag') ?? ''
  expect((await client.call('DELETE', path, undefined, { 'if-match': '"0-0"' })).status).toBe(412)
  expect((await client.call('DELETE', path, undefined, { 'if-match': `W/${current}` })).status).toBe(412)
  expect((await client.call('GET', path)).status).toBe(200)
  expect((await client.call('DELETE', path, undefined, { 'if-match': `"x", ${current}` })).status).toBe(204)
})

test('the ETag changes with the state, which If-None-Match sees and If-Match does not', async () => {
  const path = `/equipment/${(await client.call('POST', '/equipment', EQUIPMENT)).body.id}`
  const before = (await client.call('GET', path)).headers.get('etag') ?? ''
  const known = await client.call('GET', path, undefined, { 'if-none-match': `"1", W/${before}` })
  expect(known.status).toBe(304)
  await client.call('POST', `${path}/connect?wait=0`)
  const after = await client.call('GET', path, undefined, { 'if-none-match': before })
  expect([after.status, after.body.enabled]).toEqual([200, true])
  expect(after.headers.get('etag')).not.toBe(before)
  await client.call('POST', `${path}/disconnect`)
  const change = await client.call('PUT', path, { name: 'other' }, { 'if-match': before })
  expect(change.body).toMatchObject({ name: 'other', revision: after.body.revision + 1 })
  const late = await client.call('PUT', path, { name: 'third', revision: after.body.revision })
  expect(late.body).toMatchObject({ status: 412, code: 'revision_mismatch' })
})

test.each(['"1"', '*'])('a call that would not look at If-Match refuses %s', async (ifMatch) => {
  const path = `/equipment/${(await client.call('POST', '/equipment', { ...EQUIPMENT, name: `n${ifMatch.length}` })).body.id}`
  const refused = await client.call('POST', `${path}/disconnect`, undefined, { 'if-match': ifMatch })
  expect(refused.body).toMatchObject({ status: 400, errors: [{ pointer: 'If-Match' }] })
})
