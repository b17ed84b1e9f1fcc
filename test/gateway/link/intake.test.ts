import { expect, test } from 'vitest'
import { Intake, IntakeBudget } from '../../../src/gateway/link/intake.js'

/** The intake of one equipment, whose messages reach the disk when the test says so. */
class Tool {
  isPaused = false
  /** Bytes of each. */
  readonly #waiting: number[] = []
  readonly #intake: Intake

  constructor(budget: IntakeBudget) {
    const setPaused = (isPaused: boolean) => () => {
      this.isPaused = isPaused
    }
    this.#intake = new Intake({ pause: setPaused(true), resume: setPaused(false) }, budget)
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

const tools = (count: number, budget = new IntakeBudget()): Tool[] =>
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
