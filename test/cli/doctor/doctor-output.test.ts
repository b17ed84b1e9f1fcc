import { expect, test } from 'vitest'
import { exitOf, findingsInWords, inOrder, summaryOf } from '../../../src/cli/doctor/doctor.js'
import { inArea } from '../../../src/cli/doctor/finding.js'
import { Failure } from '../../../src/cli/errors/failure.js'
import { ERRORS, Problem } from '../../../src/contract/errors.js'

const { ok, note, wrong, failed } = inArea('server')

test('the exit code is that of the first thing that is wrong', () => {
  expect(exitOf([ok('a', 'A'), note('b', 'B')])).toBe(0)
  expect(exitOf([note('b', 'B'), wrong('unreachable', 'c', 'C'), wrong('equipment', 'd', 'D')])).toBe(6)
  expect(exitOf([failed('a', new Failure('access', 'no'))])).toBe(4)
  expect(exitOf([failed('a', new Problem('forbidden', 'no'))])).toBe(4)
  expect(exitOf([failed('a', new TypeError('no'))])).toBe(1)
  expect(ERRORS.forbidden.kind).toBe('access')
})

test('a mark is a sign and a word, and problems come first', () => {
  const text = findingsInWords([ok('a', 'A'), note('b', 'B', 'do b'), wrong('state', 'c', 'C', 'do c')], 80)
  expect(text).toBe(
    [
      'server',
      '  x WRONG  c  C',
      '              -> do c',
      '  ! note   b  B',
      '              -> do b',
      '  + ok     a  A',
    ].join('\n'),
  )
})

test('a long detail is folded beside its name', () => {
  const text = findingsInWords([ok('a', 'word '.repeat(40).trim())], 40)
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(40)
})

test('the summary counts what is wrong', () => {
  expect(summaryOf([ok('a', 'A'), note('b', 'B')])).toBe('Nothing is wrong.')
  expect(summaryOf([wrong('state', 'c', 'C')])).toBe('1 thing is wrong.')
  expect(summaryOf([wrong('state', 'c', 'C'), wrong('state', 'd', 'D')])).toContain('2 things are wrong')
})

test('much equipment that is ok is one line', () => {
  const equipment = inArea('equipment')
  const many = Array.from({ length: 200 }, (_, at) =>
    equipment.ok(`tool ${at}`, 'communicating, ONLINE_REMOTE'),
  )
  const found = [
    ...many,
    equipment.ok('old', 'not connected'),
    equipment.wrong('equipment', 'bad', 'T7', 'mend'),
  ]
  expect(findingsInWords(found, 80)).toBe(
    [
      'equipment',
      '  x WRONG  bad            T7',
      '                          -> mend',
      '  + ok     201 equipment  200 communicating, ONLINE_REMOTE; 1 not connected',
    ].join('\n'),
  )
})

test('in a pipe, too, what is wrong comes first, and then equipment by name', () => {
  const equipment = inArea('equipment')
  const found = [ok('a', 'A'), ...['t10', 't2', 't1'].map((name) => equipment.ok(name, 'fine'))]
  const names = inOrder([...found, equipment.wrong('equipment', 't3', 'T7')]).map(({ name }) => name)
  expect(names).toEqual(['t3', 't1', 't2', 't10', 'a'])
})

test('details stand below each other after names of wide characters', () => {
  const lines = findingsInWords([ok('装置', 'A'), ok('etcher', 'B')], 80).split('\n')
  expect(lines.slice(1)).toEqual(['  + ok     装置    A', '  + ok     etcher  B'])
})
