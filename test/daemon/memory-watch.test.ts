import { expect, test } from 'vitest'
import { type CollectedMemory, watchMemory } from '../../src/daemon/memory-watch.js'
import { ManualClock } from '../support/manual-clock.js'

const MiB = 1024 * 1024

/** Memory of which `live` stays at each collection; what is in use beyond that is left over. */
class MadeUpMemory implements CollectedMemory {
  collections = 0
  live = { heap: 100 * MiB, buffers: 10 * MiB }
  used = this.live
  #run = (): void => {}

  use = () => this.used
  onCollected(run: () => void): () => void {
    this.#run = run
    return () => {}
  }
  collect(): void {
    this.collections++
    this.used = this.live
    this.#run()
  }
}

function watched() {
  const clock = new ManualClock()
  const memory = new MadeUpMemory()
  return { memory, advance: (ms: number) => clock.advance(ms), cancel: watchMemory(clock, memory) }
}

test('what a burst of long messages left is collected within 10 s, on the heap and in buffers', () => {
  const { memory, advance, cancel } = watched()
  advance(600_000)
  expect(memory.collections).toBe(0)
  memory.used = { heap: 100 * MiB, buffers: 300 * MiB }
  advance(10_000)
  expect(memory.collections).toBe(1)
  memory.used = { heap: 200 * MiB, buffers: 10 * MiB }
  advance(10_000)
  expect(memory.collections).toBe(2)
  cancel()
  memory.used = { heap: 500 * MiB, buffers: 500 * MiB }
  advance(600_000)
  expect(memory.collections).toBe(2)
})

test('buffers that are in use for long are not collected again and again', () => {
  const { memory, advance } = watched()
  memory.live = { heap: 150 * MiB, buffers: 60 * MiB }
  memory.used = memory.live
  advance(3_600_000)
  expect(memory.collections).toBeLessThan(20)
})

test('memory is not collected for the sake of a small part of what is in use', () => {
  const { memory, advance } = watched()
  memory.used = { heap: 140 * MiB, buffers: 50 * MiB }
  advance(600_000)
  expect(memory.collections).toBe(0)
  memory.used = { heap: 160 * MiB, buffers: 50 * MiB }
  advance(10_000)
  expect(memory.collections).toBe(1)
})

test('buffers that were still in use when the memory was collected are collected later', () => {
  const { memory, advance } = watched()
  const few = memory.live
  memory.live = { heap: 100 * MiB, buffers: 300 * MiB }
  memory.used = memory.live
  advance(15_000)
  memory.live = few
  advance(30_000)
  expect(memory.used).toEqual(few)
})

test('a burst after a long time in which nothing could be collected is collected within 10 s', () => {
  const { memory, advance } = watched()
  memory.live = { heap: 150 * MiB, buffers: 60 * MiB }
  memory.used = memory.live
  advance(3_600_000)
  memory.used = { heap: 150 * MiB, buffers: 200 * MiB }
  advance(10_000)
  expect(memory.used).toEqual(memory.live)
})
