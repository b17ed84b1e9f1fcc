import { expect, test } from 'vitest'
import { SerialQueue } from '../../src/hsms/serial-queue.js'
import { gotOld } from '../support/held-memory.js'

test('what doing a thing brings about waits for its turn', () => {
  const did: string[] = []
  const order = new SerialQueue<string>((thing) => {
    did.push(thing)
    if (thing === 'a') order.add(['a1', 'a2'])
    if (thing === 'a1') order.add(['a1x'])
  })
  order.add(['a', 'b'])
  expect(did).toEqual(['a', 'b', 'a1', 'a2', 'a1x'])
})

test('one that fails does not take the others with it', () => {
  const did: string[] = []
  const order = new SerialQueue<string>((thing) => {
    if (thing === 'bad') throw new Error('bad')
    did.push(thing)
  })
  expect(() => order.add(['a', 'bad', 'b'])).toThrow('bad')
  order.add(['c'])
  expect(did).toEqual(['a', 'b', 'c'])
})

test('what passed the queue of a quiet link does not get old', async () => {
  const queues = Array.from({ length: 500 }, () => new SerialQueue<object>(() => {}))
  const bytes = await gotOld(() => {
    for (const queue of queues) queue.add([Array.from({ length: 100 }, () => 0)])
  })
  expect(bytes / queues.length).toBeLessThan(200)
})
