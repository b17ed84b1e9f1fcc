import { expect, test } from 'vitest'
import { Intake, IntakeBudget } from '../../../src/gateway/link/intake.js'
import { LongMessages } from '../../../src/gateway/link/long-messages.js'
import { Signal } from '../../../src/kit/signal.js'
import { ManualClock } from '../../support/manual-clock.js'

/** The intake of one equipment, whose messages reach the disk when the test says so. */
class Tool {
  isPaused = false
  /** Bytes of each. */
  readonly #waiting: number[] = []
  readonly #intake: Intake
  readonly #arriving = new Signal<number>()

  constructor(budget: IntakeBudget) {
    const setPaused = (isPaused: boolean) => () => {
      this.isPaused = isPaused
    }
    this.#intake = new Intake(
      { pause: setPaused(true), resume: setPaused(false), arriving: this.#arriving },
      budget,
    )
  }

  /** So many bytes have come of a message that is not whole. */
  comes(bytes: number): void {
    this.#arriving.emit(bytes)
  }

  send(bytes = 10): void {
    this.#waiting.push(bytes)
    this.#intake.hold(bytes)
  }

  /** Sends until it is not read any more; gives how many messages wait then. */
  flood(bytes = 10): number {
    while (!this.isPaused) this.send(bytes)
    return this.#waiting.length
  }

  /** The disk takes so many, or all. */
  write(count = this.#waiting.length): void {
    for (const bytes of this.#waiting.splice(0, count)) this.#intake.release(bytes)
  }
}

const MIB = 1024 * 1024

const budgetOf = (limit = 128 * MIB, clock = new ManualClock()): IntakeBudget =>
  new IntakeBudget(new LongMessages(clock, limit))

const tools = (count: number, budget = budgetOf()): Tool[] =>
  Array.from({ length: count }, () => new Tool(budget))

test('one that floods alone has the whole room, and is read again when half of it is free', () => {
  const [tool] = tools(1) as [Tool]
  expect(tool.flood()).toBe(257)
  tool.write(128)
  expect(tool.isPaused).toBe(true)
  tool.write(1)
  expect(tool.isPaused).toBe(false)
})

test('the room is shared by all that have something there', () => {
  const all = tools(16)
  for (const tool of all) tool.send()
  expect(all.map((tool) => tool.flood())).toEqual(all.map(() => 9))
  // Those that have nothing there any more have no share.
  for (const tool of all.slice(1)) tool.write()
  all[0]?.write()
  expect(all[0]?.flood()).toBe(257)
})

test('however many there are, each may have a few messages there', () => {
  const all = tools(1_000)
  for (const tool of all) tool.send()
  expect(all.map((tool) => tool.flood())).toEqual(all.map(() => 5))
})

test('long messages fill the room by their bytes; one of any length is taken', () => {
  const [tool, other] = tools(2) as [Tool, Tool]
  expect(tool.flood(1024 * 1024)).toBe(4)
  expect(other.flood(16 * 1024 * 1024)).toBe(1)
  const many = tools(100)
  for (const one of many) one.send()
  expect(many[0]?.flood(100_000)).toBe(3) // 16 MiB for a hundred
})

/** Which are read. */
const read = (all: readonly Tool[]): number[] => all.flatMap(({ isPaused }, at) => (isPaused ? [] : [at]))

test('long messages of all together fill the memory: then the one that began first goes on alone', () => {
  const all = tools(4, budgetOf(20 * MIB))
  for (const tool of all) tool.comes(4 * MIB)
  expect(read(all)).toEqual([0, 1, 2, 3])
  all[1]?.comes(8 * MIB)
  expect(read(all)).toEqual([0])
  all[0]?.comes(16 * MIB)
  expect(read(all)).toEqual([0])
  // It is whole, and gives its memory back by itself: nobody else begins meanwhile.
  all[0]?.send(16 * MIB)
  all[0]?.comes(0)
  expect(read(all)).toEqual([])
  all[0]?.write()
  expect(read(all)).toEqual([0, 1, 2, 3])
})

test('who begins again waits behind those that wait', () => {
  const all = tools(3, budgetOf(8 * MIB))
  for (const tool of all) tool.comes(2 * MIB)
  all[0]?.send(2 * MIB)
  all[0]?.comes(0)
  all[0]?.write()
  all[0]?.comes(2 * MIB)
  all[2]?.comes(4 * MIB)
  expect(read(all)).toEqual([1])
})

test('one that sends slowly loses its turn, and a connection that ends gives its memory back', () => {
  const clock = new ManualClock()
  const all = tools(3, budgetOf(12 * MIB, clock))
  for (const tool of all) tool.comes(4 * MIB)
  expect(read(all)).toEqual([0])
  clock.advance(5_000)
  expect(read(all)).toEqual([1])
  all[1]?.comes(6 * MIB)
  clock.advance(5_000)
  expect(read(all)).toEqual([1])
  all[1]?.comes(0)
  expect(read(all)).toEqual([0, 1, 2])
  expect(clock.scheduled).toBe(0)
})

test('short messages are read while long ones fill the memory', () => {
  const budget = budgetOf(4 * MIB)
  const [long, short] = tools(2, budget) as [Tool, Tool]
  long.send(4 * MIB)
  expect(long.isPaused).toBe(true)
  short.send()
  expect(short.isPaused).toBe(false)
  long.write()
  expect(budget.long.bytes).toBe(0)
})
