import { expect, test } from 'vitest'
import { meant, meantFlag, sending } from '../../../src/cli/errors/suggestion.js'
import { usageFault } from '../../../src/cli/errors/usage-fault.js'
import { editDistance } from '../../../src/kit/text/edit-distance.js'

const COMMANDS = [
  ...[
    'equipment list',
    'equipment connect',
    'equipment remove',
    'equipment show',
    'equipment add',
    'eq connect',
  ],
  ...[
    'alarms list',
    'alarms ack',
    'daemon start',
    'daemon status',
    'send',
    'reports show',
    'reports apply',
    'collection-events report',
    'keys add',
  ],
  ...['equipment check', 'daemon stop', 'sinks add', 'events list', 'journal export', 'top'],
  ...['command', 'constants list', 'constants set', 'constants show', 'daemon logs', 'login'],
  ...['keys remove', 'recipes fetch', 'recipes store', 'recipes delete', 'variables show', 'variables list'],
]

test.each([
  ['equipment lsit', 'equipment list'],
  ['equipment conect etcher', 'equipment connect'],
  ['daemn start', 'daemon start'],
  ['sned etcher S1F1', 'send'],
  ['connect etcher', 'equipment connect'],
  ['report etcher', 'reports'],
  ['equipment nosuch', 'equipment'],
  ['equipment ls', 'equipment list'],
  ['equipment rm etcher', 'equipment remove'],
  ['equipment delete etcher', 'equipment remove'],
  ['equipment get etcher', 'equipment show'],
  ['equipment create etcher', 'equipment add'],
  ['equipmnt ls', 'equipment list'],
  ['alarms ls', 'alarms list'],
  ['alarms acknowledge 7', 'alarms ack'],
  ['keys add', 'keys add'],
  ['keys rm x', 'keys remove'],
  ['recipes get a b', 'recipes fetch'],
  ['recipes rm a b', 'recipes delete'],
  ['recipes create a b', 'recipes store'],
  ['variables get a', 'variables show'],
  ['equipmnt', 'equipment'],
  ['daemon stat', 'daemon status'],
  ['daemon sttus', 'daemon status'],
  ['daemon strt', 'daemon start'],
  ['equipment remote etcher', 'command'],
  ['equipment remvoe etcher', 'equipment remove'],
  ['constants get etcher', 'constants show'],
  ['log', 'daemon logs'],
  ['recipes upload etcher', 'recipes fetch'],
  ['recipes download etcher', 'recipes store'],
  ['reports define etcher', 'reports apply'],
  ['report link etcher', 'reports apply'],
  ['ping etcher', 'equipment check'],
  ['webhook add', 'sinks add'],
  ['stop', 'daemon stop'],
  ['shutdown', 'daemon stop'],
  ['events export', 'journal export'],
])('who types "%s" is told of "%s"', (given, command) => {
  expect(meant(given.split(' '), COMMANDS)?.command).toBe(command)
})

test.each([
  ['S1F1 etcher', 'send etcher S1F1'],
  ['s2f41 etcher --json', 'send etcher S2F41 --json'],
  ['etcher S1F1', 'send etcher S1F1'],
  ['S1F1', 'send EQUIPMENT S1F1'],
  ['etcher', undefined],
])('who types "%s" without a command is told of "%s"', (given, command) => {
  expect(sending(given.split(' '))?.join(' ')).toBe(command)
})

test.each(['equipment move etcher', 'keys remote x', 'delete etcher', 'constants bet etcher'])(
  'who types "%s" is told of nothing that removes or changes',
  (given) => {
    expect(meant(given.split(' '), COMMANDS)?.command ?? '').not.toMatch(/ (remove|delete|set)$/)
  },
)

test.each(['nonsense', 'list', '', 'nonsense ls', 'stop etcher'])(
  'who types "%s" is told of nothing that may be wrong',
  (given) => {
    expect(meant(given.split(' '), COMMANDS)).toBeUndefined()
  },
)

test.each([
  ['--lable', ['label', 'limit'], '--label'],
  ['--lable=x', ['label', 'limit'], '--label'],
  ['--label', ['selector', 'output'], '--selector'],
  ['--lable', ['selector', 'output'], '--selector'],
  ['--sel', ['selector', 'output'], '--selector'],
  ['--no-imput', ['no-input', 'input'], '--input'],
  ['--nonsense', ['label', 'limit'], undefined],
])('who types the flag %s is told of the one that is meant', (given, flags, meantOne) => {
  expect(meantFlag(given, flags)).toBe(meantOne)
})

test('two letters exchanged are one mistake', () => {
  expect([editDistance('lsit', 'list'), editDistance('', 'ab'), editDistance('abc', 'abc')]).toEqual([
    1, 2, 0,
  ])
})

test.each([
  ['Parsing --limit \n\tExpected an integer but received: x', '--limit: expected an integer but received: x'],
  ['The following error occurred:\n  \x1b[2mMissing required flag url\x1b[22m', 'the flag --url is required'],
  ['Nonexistent flag: --x\nSee more help with --help', 'Nonexistent flag: --x'],
  ['Parsing --keep \n\t--keep takes a day or more\nSee more help with --help', '--keep takes a day or more'],
  ['Parsing --cors-origin \n\tan origin is a scheme', '--cors-origin: an origin is a scheme'],
])('%j is told in one sentence', (message, told) => {
  expect(usageFault(new Error(message))).toBe(told)
})

test('arguments that are missing are reported line by line', () => {
  const args = [
    { name: 'equipment', description: 'Its name.' },
    { name: 'ppid', description: 'PPID, exactly as it is.' },
  ]
  expect(usageFault(Object.assign(new Error('Missing 2 required args'), { args }))).toBe(
    'EQUIPMENT is missing: its name.\nPPID is missing: PPID, exactly as it is.',
  )
})
