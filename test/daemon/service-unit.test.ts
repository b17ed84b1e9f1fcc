import { expect, test } from 'vitest'
import { journalctl, systemctl, unitOf } from '../../src/daemon/service-unit.js'

const variables = { INVOCATION_ID: '3b1e0c2f6f4d4f1b8f0f5b8ad2f7a3c1' }
const SYSTEM = '0::/system.slice/secsctl.service\n'

test.each([
  ['a unit of the machine', SYSTEM, { name: 'secsctl.service', scope: 'system' }],
  [
    'a unit of a user',
    '0::/user.slice/user-1000.slice/user@1000.service/app.slice/secsctl.service\n',
    { name: 'secsctl.service', scope: 'user' },
  ],
  [
    'a unit with another name, with groups of version 1',
    '12:pids:/system.slice/x.service\n1:name=systemd:/system.slice/fab-2.service\n0::/\n',
    { name: 'fab-2.service', scope: 'system' },
  ],
  ['a login', '0::/user.slice/user-1000.slice/session-3.scope\n', undefined],
  ['a container', '0::/\n', undefined],
])('the group of processes names %s', (_, cgroup, unit) => {
  expect(unitOf({ cgroup, startedByManager: true, variables })).toEqual(unit)
})

test('what a unit such as cron starts is not that unit', () => {
  expect(unitOf({ cgroup: SYSTEM, startedByManager: false, variables })).toBeUndefined()
  expect(unitOf({ cgroup: SYSTEM, startedByManager: true, variables: {} })).toBeUndefined()
})

test('the commands of systemd name the unit and its manager', () => {
  expect(systemctl({ name: 'secsctl.service', scope: 'system' }, 'restart')).toBe(
    'sudo systemctl restart secsctl',
  )
  expect(systemctl({ name: 'secsctl.service', scope: 'user' }, 'stop')).toBe('systemctl --user stop secsctl')
  expect(journalctl({ name: 'secsctl.service', scope: 'user' })).toBe('journalctl --user-unit secsctl')
})
