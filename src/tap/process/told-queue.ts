import type { Observation } from '../observation.js'
import { selectedAfter } from '../selected-after.js'
import type { Told } from './tap-messages.js'

/** Bytes that an observation takes beside the body of its frame. */
const ENTRY_BYTES = 512

type Gap = Extract<Observation, { kind: 'gap' }>

/** What a reader that comes later has to be told of a tap first: how it stood when the last one ended. */
interface Standing {
  readonly listening?: Observation
  readonly paired?: Extract<Observation, { kind: 'paired' }>
}

function standingAfter(before: Standing, observation: Observation): Standing {
  const { paired } = before
  switch (observation.kind) {
    case 'listening':
    case 'not_listening':
      return { ...before, listening: observation }
    case 'paired':
      return { ...before, paired: observation }
    case 'over':
      return before.listening ? { listening: before.listening } : {}
    case 'frame': {
      const isSelected = selectedAfter(observation.frame.header)
      return paired && isSelected !== undefined ? { ...before, paired: { ...paired, isSelected } } : before
    }
    default:
      return before
  }
}

const bytesOf = ({ observation }: Told): number =>
  ENTRY_BYTES + ('frame' in observation ? observation.frame.body.length : 0)

/**
 * What waits to be told, bounded in bytes. What has no room is dropped and counted: a gap of its tap takes its place, as
 * it does for what was told and not recorded when the reader ended.
 */
export class ToldQueue {
  #waiting: Told[] = []
  /** So many at the beginning of `#waiting` were told: taking each out of a long list would hold up the links. */
  #taken = 0
  /** Of each tap, told and not recorded yet, oldest first. */
  readonly #told = new Map<string, Told[]>()
  #bytes = 0
  readonly #standing = new Map<string, Standing>()
  /** Of taps whose observations had no room. */
  readonly #gaps = new Map<string, Gap>()

  constructor(readonly limit: number) {}

  get bytes(): number {
    return this.#bytes
  }

  push(told: Told): void {
    const bytes = bytesOf(told)
    if (this.#bytes + bytes + ENTRY_BYTES > this.limit) return this.#drop(told)
    this.#closeGap(told.id)
    this.#bytes += bytes
    this.#waiting.push(told)
  }

  /** What is to be told next; undefined where nothing waits. */
  next(): Told | undefined {
    if (this.#taken === this.#waiting.length) for (const id of [...this.#gaps.keys()]) this.#closeGap(id)
    const told = this.#waiting[this.#taken]
    if (told === undefined) return undefined
    this.#taken++
    if (this.#taken * 2 > this.#waiting.length) this.#dropTaken()
    const own = this.#told.get(told.id)
    if (own) own.push(told)
    else this.#told.set(told.id, [told])
    this.#note(told)
    return told
  }

  #dropTaken(): void {
    this.#waiting.splice(0, this.#taken)
    this.#taken = 0
  }

  #note({ id, observation }: Told): void {
    this.#standing.set(id, standingAfter(this.#standing.get(id) ?? {}, observation))
  }

  /** A reader has come: it is told how each tap stood, then what has happened since. */
  readerBegan(): void {
    const first: Told[] = []
    for (const [id, { listening, paired }] of this.#standing)
      for (const observation of [listening, paired]) if (observation) first.push({ id, observation })
    this.#bytes += first.length * ENTRY_BYTES
    this.#dropTaken()
    this.#waiting = [...first, ...this.#waiting]
  }

  /** So many of a tap were recorded, the oldest first. */
  recorded(id: string, count: number): void {
    for (const told of this.#told.get(id)?.splice(0, count) ?? []) this.#bytes -= bytesOf(told)
  }

  /** The reader has ended: whether what it was told was recorded is not known. */
  readerEnded(): void {
    this.#dropTaken()
    const waiting = this.#waiting
    this.#waiting = []
    for (const told of [...this.#told.values()].flat()) {
      this.#bytes -= bytesOf(told)
      this.#drop(told)
    }
    this.#told.clear()
    for (const told of waiting) {
      this.#bytes -= bytesOf(told)
      this.push(told)
    }
  }

  /** A tap runs no more. */
  forget(id: string): void {
    this.#dropTaken()
    const own = this.#waiting.filter((told) => told.id === id)
    for (const told of [...own, ...(this.#told.get(id) ?? [])]) this.#bytes -= bytesOf(told)
    this.#waiting = this.#waiting.filter((told) => told.id !== id)
    this.#told.delete(id)
    this.#gaps.delete(id)
    this.#standing.delete(id)
  }

  /** Frames are counted. What else happened is told anew to the next reader. */
  #drop({ id, observation }: Told): void {
    this.#note({ id, observation })
    const gap = this.#gaps.get(id)
    const messages = observation.kind === 'frame' ? 1 : observation.kind === 'gap' ? observation.messages : 0
    const since = gap?.since ?? (observation.kind === 'gap' ? observation.since : observation.at)
    this.#gaps.set(id, { kind: 'gap', messages: (gap?.messages ?? 0) + messages, since, at: observation.at })
  }

  #closeGap(id: string): void {
    const gap = this.#gaps.get(id)
    if (gap === undefined) return
    this.#gaps.delete(id)
    this.#bytes += ENTRY_BYTES
    this.#waiting.push({ id, observation: gap })
  }
}
