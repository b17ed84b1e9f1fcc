import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { commandAgain, requireLastStore, requireSameStore } from '../../../src/cli/daemon/last-store.js'
import { effectiveSettings } from '../../../src/cli/daemon/settings/settings.js'
import {
  type DaemonAddress,
  readAddress,
  readLastAddress,
  removeAddress,
  writeAddress,
} from '../../../src/daemon/address-file.js'
import { runCommand } from '../../support/command.js'

const STORE = 'postgres://secsctl@db.fab:5432/site'

let home: string
let folders: { readonly state: string; readonly data: string; readonly config: string }
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'secsctl-test-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  folders = { state: join(home, 'state'), data: join(home, 'data'), config: join(home, 'config') }
})

const before: DaemonAddress = {
  url: 'http://127.0.0.1:7400',
  pid: 4_000_000,
  data_folder: '/nowhere',
  store: STORE,
  log: null,
  flags: ['--port', '0', '--store', `${STORE}?sslmode=disable`, '--store-password-file', '/etc/a password'],
  started_at: '2026-01-01T00:00:00Z',
}

/** A daemon on this address ran, and was stopped in order. */
async function stopped(address: DaemonAddress = before): Promise<void> {
  await writeAddress(folders.state, address)
  await removeAddress(folders.state, address.pid)
  expect(await readAddress(folders.state)).toBeUndefined()
}

test('a daemon is not started again without the records that it had', () => {
  expect(() => requireSameStore(before, undefined, {})).toThrow('it would have none of them')
  requireSameStore(before, STORE, {})
  requireSameStore(before, undefined, { SECSCTL_STORE: STORE })
  requireSameStore({ ...before, store: undefined as never }, undefined, {})
  requireSameStore(undefined, undefined, {})
})

test('the command that runs a daemon as before has its flags, its port and its file', () => {
  expect(commandAgain('start', before)).toBe(
    `secsctl daemon start --port 7400 --store '${STORE}?sslmode=disable' --store-password-file '/etc/a password'`,
  )
  const inFile = { ...before, flags: [], config: '/etc/daemon.yaml' }
  expect(commandAgain('restart', inFile)).toBe('secsctl daemon restart --config /etc/daemon.yaml')
  const settings = [
    { name: 'store', value: STORE, source: 'environment', variable: 'SECSCTL_STORE' },
  ] as const
  expect(commandAgain('run', { ...before, flags: [], settings })).toBe('SECSCTL_STORE=URL secsctl daemon run')
})

test('an empty gateway does not begin where the last daemon worked on a database, stopped or killed', async () => {
  await stopped()
  const variables = { SECSCTL_HOME: home }
  const refused = await runCommand(['daemon', 'run', '--port', '0'], { variables })
  expect(refused.exitCode).toBe(2)
  expect(refused.stderr).toContain(commandAgain('run', before))
  expect(refused.stderr).toContain('--store files')

  await writeAddress(folders.state, before)
  await expect(requireLastStore(folders, undefined, {})).rejects.toMatchObject({ kind: 'usage' })

  await requireLastStore(folders, STORE, {})
  await requireLastStore(folders, undefined, { SECSCTL_STORE: STORE })
  const { settings, list } = await effectiveSettings({ store: 'files' }, {})
  await requireLastStore(folders, settings.store, {})
  expect(list).toContainEqual({ name: 'store', value: 'files', source: 'flag' })
})

test('a daemon begins where the data folder has records, or the last one worked on files', async () => {
  await stopped()
  mkdirSync(join(folders.data, 'journal'), { recursive: true })
  await requireLastStore(folders, undefined, {})
  rmSync(folders.data, { recursive: true })
  const { store: _, ...onFiles } = before
  await stopped(onFiles)
  expect(await readLastAddress(folders.state)).toBeUndefined()
  await requireLastStore(folders, undefined, {})
})
