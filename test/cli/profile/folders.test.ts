import { join } from 'node:path'
import { expect, test } from 'vitest'
import { foldersOf } from '../../../src/cli/profile/folders.js'

const linux = { home: '/home/ann', platform: 'linux' } as const

test('SECSCTL_HOME puts everything under one folder', () => {
  const folders = foldersOf({ ...linux, variables: { SECSCTL_HOME: '/x', XDG_DATA_HOME: '/y' } })
  expect(folders).toEqual({ config: '/x/config', data: '/x/data', state: '/x/state', apart: true })
})

test('on Linux the XDG variables are followed', () => {
  const variables = { XDG_CONFIG_HOME: '/c', XDG_DATA_HOME: '/d', XDG_STATE_HOME: '/s' }
  expect(foldersOf({ ...linux, variables })).toEqual({
    config: '/c/secsctl',
    data: '/d/secsctl',
    state: '/s/secsctl',
    apart: false,
  })
})

test.each(['linux', 'darwin', 'win32'] as const)('on %s no two of them are the same', (platform) => {
  const { config, data, state } = foldersOf({ ...linux, variables: {}, platform })
  expect(new Set([config, data, state]).size).toBe(3)
  for (const folder of [config, data, state]) expect(folder).toContain(join('secsctl'))
})
