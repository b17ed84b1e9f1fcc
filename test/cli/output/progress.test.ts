import { expect, test } from 'vitest'
import { Progress } from '../../../src/cli/output/progress.js'
import { ManualClock } from '../../support/manual-clock.js'

test('what is drawn again and again is no wider than the terminal', () => {
  const drawn: string[] = []
  const stderr = { isTTY: true, columns: 20, write: (text: string) => drawn.push(text) }
  const clock = new ManualClock()
  const environment = { variables: { LANG: 'C' }, stderr, clock } as unknown as ConstructorParameters<
    typeof Progress
  >[0]
  const progress = new Progress(environment, false)
  progress.start('0 of 9 are communicating; not etch-001, etch-002')
  clock.advance(100)
  progress.start('装置装置装置装置装置')
  clock.advance(100)
  progress.stop()
  expect(drawn).toEqual([
    '\r\x1b[K| 0 of 9 are commu~',
    '\r\x1b[K/ 0 of 9 are commu~',
    '\r\x1b[K- 装置装置装置装置~',
    '\r\x1b[K',
  ])
})
