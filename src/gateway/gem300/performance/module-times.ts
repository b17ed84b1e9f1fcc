import { UNKNOWN_STATE } from '../../../contract/state-changes.js'
import type { Gateway } from '../../open-gateway.js'
import { lossesOf } from './losses.js'
import { type ModuleTime, moduleTime, type Span, type ToldPerformance } from './module-stretches.js'
import { toldPerformance } from './told-performance.js'

export interface ModuleTimes {
  /** In the order in which the modules became known. */
  readonly modules: ReadonlyMap<string, ModuleTime>
  /** The time of which all is known, in milliseconds since 1970. */
  readonly since: number
}

/** What the modules of one equipment did in a time, by the journal. */
export async function moduleTimes(
  id: string,
  span: Span,
  { events: { journal }, objects }: Pick<Gateway, 'events' | 'objects'>,
): Promise<ModuleTimes> {
  const losses = await lossesOf(journal, id, span)
  const lostAt = Math.max(
    losses.since,
    losses.times.findLast((at) => at < span.from) ?? Number.NEGATIVE_INFINITY,
  )
  const known = objects
    .of(id)
    .list('performance')
    .map((one) => one.id)
  const read = await toldPerformance(journal, id, span, lostAt, known)
  const since = Math.max(losses.since, read.since)
  const lost = [...losses.times, ...(Number.isFinite(since) ? [since] : [])].sort((one, other) => one - other)
  const told = byModule(read.told)
  const modules = [...new Set([...known, ...told.keys()])]
  return {
    modules: new Map(modules.map((one) => [one, moduleTime(one, told.get(one) ?? [], lost, span)])),
    since,
  }
}

function byModule(told: readonly ToldPerformance[]): ReadonlyMap<string, readonly ToldPerformance[]> {
  const found = new Map<string, ToldPerformance[]>()
  for (const one of told) {
    const own = found.get(one.module)
    if (own) own.push(one)
    else found.set(one.module, [one])
  }
  return found
}

/** The last state that was told, and when it was lost; null where the state at the end of the time is known. */
export function lastKnown({
  stretches,
  since,
  told,
}: ModuleTime): { readonly state: string; readonly until: string } | null {
  const state = stretches.at(-1)?.state ?? UNKNOWN_STATE
  if (state !== UNKNOWN_STATE || !told || told.state === UNKNOWN_STATE || since === undefined) return null
  return { state: told.state, until: new Date(since).toISOString() }
}
