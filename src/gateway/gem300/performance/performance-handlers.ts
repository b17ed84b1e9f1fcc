import { Problem } from '../../../contract/errors.js'
import { UNKNOWN_STATE } from '../../../contract/state-changes.js'
import type {
  ModulePerformance,
  Performance,
  performanceEndpoints,
} from '../../../contract/topics/gem300/performance.js'
import type { CompiledMapping } from '../../../gem300/mapping/compiled-mapping.js'
import { listed } from '../../../kit/text/listed.js'
import type { Handlers } from '../../handler.js'
import { timeOf } from '../../records/time-range.js'
import { type ModuleTime, NOT_TOLD, type Span, sharesOf } from './module-stretches.js'
import { lastKnown, moduleTimes } from './module-times.js'

const DAY_MS = 24 * 3_600_000
/** The most modules that a note names. */
const MOST_NAMED = 5

const iso = (at: number): string => new Date(at).toISOString()

/** How the modules of equipment perform (SEMI E116), by what was recorded. */
export const performanceHandlers: Handlers<typeof performanceEndpoints> = {
  async getPerformance({ params: { id }, query }, { equipment, events, objects, mappings, clock }) {
    const { name, tap } = await equipment.get(id)
    const span = spanOf(query, clock.date().getTime())
    const { modules, since } = await moduleTimes(id, span, { events, objects })
    const shown = [...modules].filter(([module]) => query.module === undefined || module === query.module)
    const items = shown.map(([module, time]) => shownModule(module, time, span, query.stretches))
    const note = noteOf(name, items, mappings.get(id)?.compiled, {
      isTapped: tap !== null,
      cutAt: since > span.from ? iso(since) : undefined,
    })
    return { items, next_cursor: null, from: iso(span.from), to: iso(span.to), note }
  },
}

/** Throws `invalid_request` for a time that has no length. */
function spanOf(query: { readonly from?: string; readonly to?: string }, now: number): Span {
  // What was told in this millisecond is of the time, too.
  const latest = now + 1
  const to = Math.min(latest, Date.parse(timeOf(query.to) ?? '') || latest)
  const from = query.from === undefined ? to - DAY_MS : Date.parse(timeOf(query.from) ?? '')
  if (from < to) return { from, to }
  const detail = `is not before ${query.to === undefined ? 'now' : 'to'}`
  throw new Problem('invalid_request', `from ${detail}.`, { errors: [{ pointer: 'from', detail }] })
}

function shownModule(module: string, time: ModuleTime, span: Span, withStretches = false): ModulePerformance {
  const { stretches, since } = time
  const { state, task, task_type, blocked_reason, blocked_text } = stretches.at(-1) ?? {
    ...NOT_TOLD,
    state: UNKNOWN_STATE,
  }
  return {
    module,
    state,
    since: since === undefined ? null : iso(since),
    task,
    task_type,
    blocked_reason,
    blocked_text,
    last_known: lastKnown(time),
    shares: sharesOf(stretches, span),
    ...(withStretches && {
      stretches: stretches.map(({ from, to, ...what }) => ({ from: iso(from), to: iso(to), ...what })),
    }),
  }
}

function noteOf(
  name: string,
  items: Performance['items'],
  mapping: CompiledMapping | undefined,
  { isTapped, cutAt }: { readonly isTapped: boolean; readonly cutAt: string | undefined },
): string | null {
  if (!mapping) return `${name} has no mapping: nothing tells how its modules perform.`
  const isAsked = mapping.status.some(({ kind }) => kind === 'performance')
  if (!isAsked && !mapping.events.some(([, { kind }]) => kind === 'performance'))
    return `The mapping of ${name} has no event and no status variable of performance.`
  const lost = items.filter(({ last_known }) => last_known !== null).map(({ module }) => module)
  const advice =
    isAsked || isTapped
      ? ''
      : ' A row of `status` in the mapping, with `state: performance`, has it asked for after each connect.'
  if (lost.length > 0)
    return `The state of ${listed(lost, MOST_NAMED)} is not known: it may have changed while ${name} could not tell it, and nothing has told it since.${advice}`
  return cutAt === undefined
    ? null
    : `There are too many changes in this time: what was before ${cutAt} is shown as UNKNOWN.`
}
