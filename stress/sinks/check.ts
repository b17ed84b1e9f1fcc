import type { Arrival } from './arrivals.js'

/** An event as the journal has it. */
export interface Recorded {
  readonly key: string
  readonly name: string
}

/** What one consumer received, and what was to be missing. */
export interface Received {
  readonly sink: string
  /** In their order. */
  readonly arrivals: readonly Arrival[]
  /** Sequence number from which the sink delivers. */
  readonly after: number
  /** What retention removed while the target was away: of it, the sink may have read the beginning before. */
  readonly removed: readonly (readonly [from: number, to: number])[]
  /** What the target accepted and lost: nobody but the target can know. */
  readonly lost: readonly Arrival[]
}

export interface Verdict {
  readonly isMet: boolean
  readonly text: string
}

/** Compares what arrived with the journal. */
export function verdictOf(
  { sink, arrivals, after, removed, lost }: Received,
  recorded: ReadonlyMap<number, Recorded>,
  journalId: string,
): Verdict {
  const first = new Map<number, Arrival>()
  const newest = new Map<string, number>()
  const announced = new Map<string, readonly [from: number, to: number]>()
  // What was lost, and is sent again after a crash of the gateway, comes late.
  const dropped = new Set(lost.map(({ seq }) => seq))
  let [repeated, differing, disordered, foreign] = [0, 0, 0, 0]
  for (const arrival of arrivals) {
    const { id, seq, equipment, name, gap, hash } = arrival
    if (gap) announced.set(id, gap)
    if (seq === null) continue
    const known = recorded.get(seq)
    if (!known || known.key !== equipment || known.name !== name || id !== `${journalId}-${seq}`) foreign++
    const before = first.get(seq)
    if (before) {
      repeated++
      if (before.id !== id || before.hash !== hash) differing++
      continue
    }
    first.set(seq, arrival)
    if (dropped.has(seq)) continue
    if ((newest.get(equipment ?? '') ?? 0) > seq) disordered++
    newest.set(equipment ?? '', seq)
  }
  const gaps = [...announced.values()]
  const isIn = (seq: number): boolean => gaps.some(([from, to]) => seq >= from && seq <= to)
  const wanted = [...recorded.keys()].filter((seq) => seq > after)
  const absent = wanted.filter((seq) => !first.has(seq))
  const missing = absent.filter((seq) => !isIn(seq) && !dropped.has(seq))
  const notNoticed = absent.filter((seq) => dropped.has(seq)).length
  const late = [...first.keys()].filter(isIn).length
  const areAnnounced =
    gaps.length === removed.length &&
    removed.every(([from, to]) => gaps.some((gap) => gap[0] >= from && gap[1] === to))
  const parts = [
    `${sink}: ${first.size} of ${wanted.length} events, ${missing.length} missing`,
    `${disordered} out of order, ${foreign} not as recorded`,
    `${repeated} repeated, ${differing} of these with another id or content`,
    ...(lost.length > 0 ? [`${notNoticed} accepted and lost, which no sender can notice`] : []),
    ...(gaps.length + removed.length > 0
      ? [
          `${absent.filter(isIn).length} removed by retention, announced as ${gaps.map((gap) => gap.join('..')).join(', ') || 'nothing'} of ${removed.map((gap) => gap.join('..')).join(', ') || 'nothing'}, ${late} delivered all the same`,
        ]
      : []),
    ...(missing.length > 0 ? [`the first that are missing: ${missing.slice(0, 5).join(', ')}`] : []),
  ]
  const faults = missing.length + differing + disordered + foreign + late
  return { isMet: faults === 0 && areAnnounced && first.size > 0, text: parts.join('; ') }
}
