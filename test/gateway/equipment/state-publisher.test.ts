import { expect, test } from 'vitest'
import type { Equipment } from '../../../src/contract/equipment.js'
import { StatePublisher } from '../../../src/gateway/equipment/state-publisher.js'
import { ManualClock } from '../../support/manual-clock.js'

/** Two pieces of equipment that this process owns; `published` has what others have been told. */
function scene(self: object | null = {}) {
  const clock = new ManualClock()
  const view = (name: string) => ({ name }) as Equipment
  const all = new Map([
    ['a', { isTaken: true, view: view('a') }],
    ['b', { isTaken: true, view: view('b') }],
  ])
  const owned = new Set(['a', 'b'])
  const reports = new Map<string, object>()
  const published: unknown[] = []
  const ownership = {
    ...{ self, owns: (id: string) => owned.has(id) },
    publish: (id: string, state: object) => void published.push([id, state]),
  }
  const publisher = new StatePublisher(clock, ownership as never, all, reports)
  const taken = () => published.splice(0)
  return { clock, all, owned, reports, publisher, taken, view }
}

test('changes of 200 ms are published together, what stays the same is not', () => {
  const { publisher, clock, all, reports, taken, view } = scene()
  publisher.changed('a')
  clock.advance(199)
  publisher.changed('a')
  publisher.changed('none')
  expect(taken()).toEqual([])
  clock.advance(1)
  expect(taken()).toEqual([['a', { name: 'a' }]])
  publisher.changed('a')
  clock.advance(200)
  expect(taken()).toEqual([])
  reports.set('a', { state: 'present' })
  publisher.changed('a')
  clock.advance(200)
  expect(taken()).toEqual([['a', { name: 'a', reports: { state: 'present' } }]])
  all.set('a', { isTaken: true, view: view('a2') })
  publisher.changed('a')
  clock.advance(200)
  expect(taken()).toMatchObject([['a', { name: 'a2' }]])
})

test('every 5 s all is published that has changed by time alone', () => {
  const { clock, all, taken, view } = scene()
  clock.advance(4999)
  expect(taken()).toEqual([])
  clock.advance(1)
  expect(taken()).toHaveLength(2)
  all.set('b', { isTaken: true, view: view('b2') })
  clock.advance(5000)
  expect(taken()).toEqual([['b', { name: 'b2' }]])
})

test.each(['isTaken', 'owned'])(
  'equipment of another process is not published (%s), and is anew when it is back',
  (why) => {
    const { publisher, clock, all, owned, taken } = scene()
    const [before] = [all.get('a')]
    const publish = () => {
      publisher.changed('a')
      clock.advance(200)
      return taken()
    }
    expect(publish()).toHaveLength(1)
    if (why === 'owned') owned.delete('a')
    else all.set('a', { ...(before as never as { view: Equipment }), isTaken: false })
    expect(publish()).toEqual([])
    owned.add('a')
    all.set('a', before as never)
    expect(publish()).toHaveLength(1)
  },
)

test('a process that is alone publishes nothing, and one that is closed nothing more', () => {
  const alone = scene(null)
  alone.publisher.changed('a')
  alone.publisher.close()
  expect(alone.clock.scheduled).toBe(0)
  const { publisher, clock } = scene()
  publisher.changed('a')
  publisher.close()
  expect(clock.scheduled).toBe(0)
})
