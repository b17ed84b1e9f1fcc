import { expect, test } from 'vitest'
import { startFailure } from '../../../src/cli/daemon/daemon-start.js'

const record = (level: number, msg: string, hint?: string): string => JSON.stringify({ level, msg, hint })

test.each([
  ['the last', [record(30, 'Server listening'), record(60, 'the disk is full', 'df -h')]],
  [
    'not the last, since others were on their way',
    [record(60, 'the disk is full', 'df -h'), record(30, 'Server listening')],
  ],
])('a daemon that did not start says why, where that is %s of its log', (_, lastLines) => {
  expect(startFailure({ exitCode: 1, log: '/log', lastLines })).toMatchObject({
    kind: 'unexpected',
    message: 'the daemon did not start: the disk is full',
    hint: 'df -h',
  })
})

test('the end of the log is shown where no record says why', () => {
  const lastLines = [record(30, 'Server listening'), 'FATAL ERROR: out of memory']
  expect(startFailure({ exitCode: undefined, log: '/log', lastLines })).toMatchObject({
    message: expect.stringMatching(
      /^the daemon did not start. Its log ends with:\n.*\n {2}FATAL ERROR: out of memory$/,
    ),
    hint: 'less /log',
  })
})
