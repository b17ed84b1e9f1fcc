import { expect, test } from 'vitest'
import { wrongUsage } from '../../../src/cli/errors/failure.js'
import { placeWord } from '../../../src/cli/errors/file-places.js'
import { reportOf } from '../../../src/cli/errors/report.js'
import type { Subject } from '../../../src/cli/errors/subject.js'
import { memberWord } from '../../../src/cli/output/member-words.js'
import { ERRORS, type Fault, faultyRequest, Problem } from '../../../src/contract/errors.js'
import { commandLine } from '../../../src/explanation/command-line.js'

const firstLines = (problem: Problem, subject: Subject) =>
  reportOf(problem, subject).lines.filter((line) => !line.startsWith('Try: '))

const words = { '/values/': '*', '/data/': '*', '/id': 'VARIABLE' }
const wordOf = (pointer: string) => memberWord(pointer, words)

test('a member and the fault that continues its name make one sentence', () => {
  const errors: Fault[] = [{ pointer: '/values/RFPowerLimit', detail: 'is "999999", which no U2 can hold' }]
  const problem = faultyRequest('invalid_message', errors, { start: 'The constants cannot be sent: ' })
  expect(firstLines(problem, { wordOf })).toEqual(['Error: RFPowerLimit is "999999", which no U2 can hold'])
})

test.each(['id/0', '/values/Nope'])(
  'a fault that is a sentence of its own is printed alone: %s',
  (pointer) => {
    const detail = 'etcher has no variable named Nope'
    const problem = new Problem('name_not_found', `${detail}.`, { errors: [{ pointer, detail }] })
    expect(firstLines(problem, { wordOf })).toEqual([`Error: ${detail}.`])
  },
)

test('no fault is lost where the message is only the first one', () => {
  const errors: Fault[] = [
    { pointer: '/data/FOO', detail: 'is not known' },
    { pointer: '/data/BAR', detail: 'is missing' },
  ]
  const lines = firstLines(new Problem('invalid_message', 'is not known.', { errors }), { wordOf })
  expect(lines.slice(1)).toEqual(['  FOO is not known', '  BAR is missing'])
})

test('faults that a response leaves out are counted', () => {
  const errors = Array.from({ length: 60 }, (_, at) => ({ pointer: `/equipment/${at}`, detail: 'is wrong' }))
  const problem = faultyRequest('invalid_request', errors)
  expect(problem.extra.errors).toHaveLength(50)
  expect(firstLines(problem, { wordOf }).slice(-2)).toEqual([
    '  /equipment/49 is wrong',
    '  and 10 further faults',
  ])
  expect(faultyRequest('invalid_request', errors.slice(0, 50)).extra).not.toHaveProperty('more_errors')
})

test('faults of a message are printed after its name', () => {
  const heading = 'S1F3 Selected Equipment Status Request'
  const errors: Fault[] = [
    { pointer: '/data/FOO', detail: 'is not known here: there is SVID' },
    { pointer: '/data/CPVAL', detail: 'is missing' },
  ]
  const lines = (faults: readonly Fault[]) =>
    firstLines(new Problem('invalid_message', `${heading}: …`, { errors: faults }), { heading, wordOf })
  expect(lines(errors.slice(0, 1))).toEqual([`Error: ${heading}: FOO is not known here: there is SVID`])
  expect(lines(errors)).toEqual([
    `Error: ${heading}:`,
    '  FOO is not known here: there is SVID',
    '  CPVAL is missing',
  ])
})

test('a fault of an SML text is printed after what it is a fault of, and a name is not printed twice', () => {
  const sentence = (detail: string, heading: string) =>
    firstLines(new Problem('invalid_message', detail, { errors: [{ pointer: '/sml', detail }] }), { heading })
  expect(sentence('line 1, column 9: no item', 'the SML')).toEqual([
    'Error: the SML: line 1, column 9: no item',
  ])
  expect(sentence('S1F2 On Line Data is a reply', 'S1F2 On Line Data')).toEqual([
    'Error: S1F2 On Line Data is a reply',
  ])
})

test('faults of a file are printed after its name', () => {
  const subject: Subject = {
    heading: 'bad.yaml cannot be applied as it is',
    wordOf: placeWord('bad.yaml', () => ({ line: 2, column: 3 })),
  }
  const errors: Fault[] = [
    { pointer: '/events', detail: 'is required' },
    { pointer: '', detail: 'must have at most 3 members' },
    { pointer: 'timeout', detail: 'must be a number of 1 or more' },
  ]
  expect(firstLines(faultyRequest('invalid_request', errors), subject)).toEqual([
    'Error: bad.yaml cannot be applied as it is:',
    '  bad.yaml:2:3: events is required',
    '  bad.yaml:2:3: the whole file must have at most 3 members',
    '  --timeout must be a number of 1 or more',
  ])
})

test('one word for two members is printed once', () => {
  const detail = 'does not go with a serial port: leave it out'
  const problem = faultyRequest('invalid_request', [
    { pointer: '/ip_address', detail },
    { pointer: '/port', detail },
  ])
  const lines = firstLines(problem, { wordOf: () => '--address' })
  expect(lines).toEqual([`Error: --address ${detail}`])
})

test('a title ends without a full stop, as those of the API do', () => {
  expect(reportOf(wrongUsage('--all takes no names')).problem).toMatchObject({
    title: 'Wrong usage, or invalid input',
    detail: '--all takes no names',
  })
})

test.each([
  [ERRORS.equipment_not_connected.commands[0], 'secsctl equipment connect -- -dash'],
  [ERRORS.equipment_name_taken.commands[1], 'secsctl equipment update --name NAME -- -dash'],
  [
    ERRORS.equipment_not_communicating.commands[1],
    'secsctl messages list --equipment -dash --message S1F13 --limit 5',
  ],
])('the command %j can be typed for equipment that is called -dash', (command, typed) => {
  expect(commandLine(command ?? ['none'], { equipment: '-dash' })).toBe(typed)
})

test('a folder of another user is said in words', () => {
  const path = '/home/other/.config/secsctl/state/daemon.json'
  for (const [syscall, words] of [
    ['stat', `${path} cannot be read: this user may not.`],
    ['open', `${path} cannot be written: this user may not.`],
  ] as const) {
    const error = Object.assign(new Error(`EACCES: permission denied, ${syscall}`), {
      code: 'EACCES',
      syscall,
      path,
    })
    expect(reportOf(error).lines).toEqual([
      `Error: ${words} SECSCTL_HOME names another folder for profiles, tokens and data.`,
      'Try: export SECSCTL_HOME=/tmp/secsctl',
    ])
  }
})

test('a full disk is no riddle', () => {
  const error = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  expect(reportOf(error).lines).toEqual([expect.stringMatching(/^Error: the disk is full/), 'Try: df -h'])
})
