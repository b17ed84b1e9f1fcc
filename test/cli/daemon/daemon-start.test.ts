import { expect, test } from 'vitest'
import { startFailure, toldBy } from '../../../src/cli/daemon/daemon-start.js'
import { Progress } from '../../../src/cli/output/progress.js'
import { ManualClock } from '../../support/manual-clock.js'

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

test('a start that takes long says in a pipe what the daemon said last, once', () => {
  const said: string[] = []
  const clock = new ManualClock()
  const stderr = { isTTY: false, write: (text: string) => said.push(text) }
  const progress = new Progress(
    { variables: {}, stderr: stderr as unknown as NodeJS.WriteStream, clock },
    false,
  )
  progress.start('starting the daemon')
  const tell = toldBy(progress)
  tell('starting the daemon: opening the journal: 10 %')
  clock.advance(1000)
  tell('starting the daemon: opening the journal: 20 %')
  expect(said).toEqual([])
  clock.advance(1000)
  tell('starting the daemon: opening the journal: 30 %')
  clock.advance(60_000)
  progress.stop()
  expect(said).toEqual(['starting the daemon: opening the journal: 20 %\n'])
})
