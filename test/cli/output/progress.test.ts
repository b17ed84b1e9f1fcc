import { expect, test } from 'vitest'
import { Progress } from '../../../src/cli/output/progress.js'
import { ManualClock } from '../../support/manual-clock.js'

/** A progress, and what it writes. */
function progressOn(isTTY: boolean, silent = false) {
  const drawn: string[] = []
  const stderr = { isTTY, columns: 20, write: (text: string) => drawn.push(text) }
  const clock = new ManualClock()
  const environment = { variables: { LANG: 'C' }, stderr, clock } as unknown as ConstructorParameters<
    typeof Progress
  >[0]
  return { drawn, clock, progress: new Progress(environment, silent) }
}

test('what is drawn again and again is no wider than the terminal', () => {
  const { drawn, clock, progress } = progressOn(true)
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

test('in a pipe one line says what is waited for, once that takes long', () => {
  const { drawn, clock, progress } = progressOn(false)
  progress.start('waiting')
  progress.lineAfter(2000)
  clock.advance(1999)
  progress.start('reading: 10 %')
  expect(drawn).toEqual([])
  clock.advance(1)
  progress.start('reading: 20 %')
  clock.advance(60_000)
  progress.stop()
  expect(drawn).toEqual(['reading: 10 %\n'])
})

test('in a pipe nothing is said of what is over soon, or to programs', () => {
  for (const silent of [false, true]) {
    const { drawn, clock, progress } = progressOn(false, silent)
    progress.start('waiting')
    progress.lineAfter(2000)
    clock.advance(silent ? 5000 : 1000)
    progress.stop()
    clock.advance(5000)
    expect(drawn).toEqual([])
    expect(clock.scheduled).toBe(0)
  }
})
