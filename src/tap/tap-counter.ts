import type { Endpoints } from '../hsms/capture/wire.js'
import { type Header, PTYPE_SECS2, STYPE } from '../hsms/frame/header.js'
import type { Clock } from '../kit/clock.js'
import { keepNewest } from '../kit/keep-newest.js'
import { selectedAfter } from './selected-after.js'
import { otherSide, type PairEnd, type Side } from './side.js'
import type { PairCounts, Refusals, SideCounts, TapCounts, Unanswered } from './tap-counts.js'

/** Addresses that were refused, of which the newest are remembered. */
const MAX_REFUSED = 16
/** Control messages of a side without a response that are remembered. */
const MAX_UNANSWERED = 16
const STREAM_9 = 9

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

/** Counts what happens on one tap. Nothing on the line waits for it. */
export class TapCounter {
  readonly #since: number
  #listening: number | null = null
  #fault: string | null = null
  #pairs = 0
  #pair: PairCounter | undefined
  #last: PairCounts | null = null
  readonly #refused = new Map<string, Refusals>()
  #notDialled: TapCounts['notDialled'] = null

  constructor(private readonly clock: Clock) {
    this.#since = this.#now
  }

  get #now(): number {
    return this.clock.date().getTime()
  }

  listens(port: number): void {
    this.#listening = port
    this.#fault = null
  }

  cannotListen(detail: string): void {
    this.#fault = detail
  }

  paired(endpoints: Readonly<Record<Side, Endpoints>>): void {
    this.#pairs += 1
    this.#pair = new PairCounter(endpoints, this.#now)
  }

  over(first: Side, how: PairEnd): void {
    if (this.#pair) this.#last = this.#pair.counts({ at: this.#now, first, how })
    this.#pair = undefined
  }

  notDialled(detail: string): void {
    this.#notDialled = { count: (this.#notDialled?.count ?? 0) + 1, detail, at: this.#now }
  }

  refused(address: string, why: Refusals['why']): void {
    const count = (this.#refused.get(`${why} ${address}`)?.count ?? 0) + 1
    this.#refused.delete(`${why} ${address}`)
    this.#refused.set(`${why} ${address}`, { address, why, count, at: this.#now })
    keepNewest(this.#refused, MAX_REFUSED)
  }

  /** A data message has passed, whose header begins at `at`. */
  data(from: Side, bytes: Uint8Array, at: number): void {
    this.#pair?.data(from, bytes, at)
  }

  control(from: Side, header: Header): void {
    this.#pair?.control(from, header, this.#now)
  }

  /** The system bytes of a primary of the host were replaced. */
  mapped(): void {
    this.#pair?.mapped()
  }

  /** Bytes of a side were written to the other one, `ms` after they were read. */
  took(from: Side, bytes: number, ms: number): void {
    this.#pair?.took(from, bytes, ms, this.#now)
  }

  /** A side did not take what the other one sent, for so many milliseconds. */
  held(by: Side, ms: number): void {
    this.#pair?.held(by, ms)
  }

  unreadable(from: Side): void {
    this.#pair?.unreadable(from)
  }

  /** A primary of the gateway was sent. */
  sent(): void {
    this.#pair?.sent()
  }

  replied(): void {
    this.#pair?.replied()
  }

  get counts(): TapCounts {
    return {
      since: this.#since,
      listening: this.#listening,
      fault: this.#fault,
      pairs: this.#pairs,
      pair: this.#pair?.counts(null) ?? null,
      last: this.#last,
      refused: [...this.#refused.values()],
      notDialled: this.#notDialled,
    }
  }
}

interface CountedSide extends Mutable<Omit<SideCounts, 'unanswered' | 'control'>> {
  readonly control: Record<number, number>
  /** By their system bytes. */
  readonly waiting: Map<number, Unanswered>
}

const newSide = (): CountedSide => ({
  bytes: 0,
  primaries: 0,
  replies: 0,
  stream9: 0,
  control: {},
  sessionId: null,
  lastAt: null,
  isUnreadable: false,
  heldMs: 0,
  waiting: new Map(),
})

/** Requests of SEMI E37 that get a response, which has the next SType. */
const REQUESTS: readonly number[] = [STYPE.selectReq, STYPE.deselectReq, STYPE.linktestReq]

class PairCounter {
  readonly #sides: Readonly<Record<Side, CountedSide>> = { host: newSide(), equipment: newSide() }
  #isSelected = false
  #selectStatus: number | null = null
  #mappings = 0
  readonly #own = { sent: 0, replied: 0 }
  readonly #handling = { times: 0, sumMs: 0, maxMs: 0 }

  constructor(
    readonly endpoints: Readonly<Record<Side, Endpoints>>,
    readonly since: number,
  ) {}

  data(from: Side, bytes: Uint8Array, at: number): void {
    const side = this.#sides[from]
    side.sessionId = (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0)
    if (((bytes[at + 3] ?? 0) & 1) === 0) side.replies += 1
    else side.primaries += 1
    if (((bytes[at + 2] ?? 0) & 0x7f) === STREAM_9) side.stream9 += 1
    // Without Select.rsp they have agreed otherwise.
    this.#isSelected = true
  }

  control(from: Side, header: Header, at: number): void {
    if (header.pType !== PTYPE_SECS2) return
    const { sType, systemBytes, byte3 } = header
    const side = this.#sides[from]
    side.control[sType] = (side.control[sType] ?? 0) + 1
    this.#isSelected = selectedAfter(header) ?? this.#isSelected
    if (sType === STYPE.selectRsp) this.#selectStatus = byte3
    if (REQUESTS.includes(sType)) {
      side.waiting.set(systemBytes, { sType, at })
      keepNewest(side.waiting, MAX_UNANSWERED)
    } else this.#sides[otherSide(from)].waiting.delete(systemBytes)
  }

  mapped(): void {
    this.#mappings += 1
  }

  took(from: Side, bytes: number, ms: number, at: number): void {
    const side = this.#sides[from]
    side.bytes += bytes
    side.lastAt = at
    this.#handling.times += 1
    this.#handling.sumMs += ms
    this.#handling.maxMs = Math.max(this.#handling.maxMs, ms)
  }

  held(by: Side, ms: number): void {
    this.#sides[by].heldMs += ms
  }

  unreadable(from: Side): void {
    this.#sides[from].isUnreadable = true
  }

  sent(): void {
    this.#own.sent += 1
  }

  replied(): void {
    this.#own.replied += 1
  }

  counts(over: PairCounts['over']): PairCounts {
    const { host, equipment } = this.#sides
    return {
      since: this.since,
      endpoints: this.endpoints,
      isSelected: this.#isSelected,
      selectStatus: this.#selectStatus,
      sides: { host: sideCounts(host), equipment: sideCounts(equipment) },
      mapped: this.#mappings,
      own: { ...this.#own },
      handling: { ...this.#handling },
      over,
    }
  }
}

function sideCounts({ waiting, ...side }: CountedSide): SideCounts {
  const [oldest = null] = waiting.values()
  return { ...side, control: { ...side.control }, unanswered: oldest }
}
