import type { Clock } from './clock.js'

/** Milliseconds of work after which the event loop is given back. */
const MAX_TURN_MS = 4
/** Characters that are put together before they are passed to the reader. */
const CHUNK = 32 * 1024

/** For whom work is done: the journal, for which all equipment waits; equipment, which has timers; everybody else. */
const LANES = ['journal', 'equipment', 'others'] as const
type Lane = (typeof LANES)[number]

/** Those of this process who wait, in order. A test in which one process plays several gives each its own. */
export const turns: { readonly waiting: Record<Lane, (() => void)[]> } = {
  waiting: { journal: [], equipment: [], others: [] },
}

/**
 * Resolves in another turn of the event loop, when what came meanwhile has been seen to. Of all who wait one of each
 * lane goes on in each turn: together they hold up the loop no longer than one of them, and equipment does not wait
 * for all the long responses of the API.
 */
export function nextTurn(lane: Lane = 'others'): Promise<void> {
  return new Promise((resolve) => {
    const { waiting } = turns
    const isFirst = !isAnyoneIn(waiting)
    waiting[lane].push(resolve)
    if (isFirst) setImmediate(goOn)
  })
}

const isAnyoneIn = (waiting: Record<Lane, unknown[]>): boolean =>
  LANES.some((lane) => waiting[lane].length > 0)

function goOn(): void {
  const { waiting } = turns
  for (const lane of LANES) waiting[lane].shift()?.()
  if (isAnyoneIn(waiting)) setImmediate(goOn)
}

/** Resolves when all that has come in this turn of the event loop has been seen to. */
export const turnOver = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** What `steps` come to, with the event loop given back in between. */
export async function inTurns<T>(steps: Generator<void, T>, lane?: Lane): Promise<T> {
  let step = steps.next()
  while (!step.done) {
    await nextTurn(lane)
    step = steps.next()
  }
  return step.value
}

/** Gives the event loop back now and then, in work that consists of many short steps. */
export class Turns {
  #began: number

  constructor(private readonly clock: Clock) {
    this.#began = clock.now()
  }

  /** True when enough was done in this turn. */
  get isOver(): boolean {
    return this.clock.now() - this.#began >= MAX_TURN_MS
  }

  /** Resolves in another turn of the event loop. */
  async next(): Promise<void> {
    await nextTurn()
    this.#began = this.clock.now()
  }
}

/** Counts work, and says when there was enough of it for one step. */
export class StepMeter {
  #done = 0

  /** `step`: how much is done in one step. */
  constructor(private readonly step: number) {}

  /** Adds what was done; true when it is time to give way. */
  due(work: number): boolean {
    this.#done += work
    if (this.#done < this.step) return false
    this.#done = 0
    return true
  }
}

/** What `steps` come to, at once. */
export function atOnce<T>(steps: Generator<void, T>): T {
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}

/**
 * The text that `parts` are, in chunks, each made when it is asked for. To make a part is short work, and the event
 * loop is given back in between; an empty part stands for work alone.
 */
export async function* chunksOf(parts: Iterable<string>, clock: Clock): AsyncGenerator<string> {
  let text = ''
  const turns = new Turns(clock)
  for (const part of parts) {
    text += part
    if (text.length >= CHUNK) {
      yield text
      text = ''
    }
    if (turns.isOver) await turns.next()
  }
  if (text !== '') yield text
}
