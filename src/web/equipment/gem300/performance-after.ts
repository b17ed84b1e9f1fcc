import { UNKNOWN_STATE } from '../../../contract/state-changes.js'
import type { Event } from '../../../contract/topics/events.js'
import type { ModulePerformance, Performance } from '../../../contract/topics/gem300/performance.js'

type Stretch = NonNullable<ModulePerformance['stretches']>[number]

/** What an event about the performance of a module has. */
interface PerformanceChange {
  readonly object_id: string
  readonly to: string
  readonly details?: Readonly<
    Partial<Record<'task' | 'task_type' | 'blocked_reason' | 'blocked_text', string>>
  >
}

/** Events with which something is lost, or known again: what that means, the gateway says. */
const OF_KNOWLEDGE: readonly string[] = ['communication_state', 'control_state', 'tap_gap']

/**
 * The performance after an event; the same where the event is about something else. Undefined where the event alone does
 * not tell it: what is known has changed, or the module is not known yet.
 */
export function performanceAfter(
  shown: Performance,
  { type, name, at, data }: Event,
): Performance | undefined {
  if (type === 'connection' || OF_KNOWLEDGE.includes(name)) return undefined
  if (type !== 'state' || name !== 'performance_state') return shown
  const { object_id, to: state, details = {} } = data as unknown as PerformanceChange
  const module = shown.items.find((one) => one.module === object_id)
  if (!module || module.state === UNKNOWN_STATE || state === 'NO_STATE') return undefined
  const after = moduleAfter(module, at, { state, ...details })
  return { ...shown, items: shown.items.map((one) => (one === module ? after : one)) }
}

function moduleAfter(
  module: ModulePerformance,
  at: string,
  told: Partial<Omit<Stretch, 'from' | 'to'>> & { readonly state: string },
): ModulePerformance {
  const { stretches = [], since } = module
  const last = stretches.at(-1)
  // What was read has it already.
  if (!last || at < last.from) return module
  const { task, task_type, blocked_reason, blocked_text } = module
  const next: Stretch = { task, task_type, blocked_reason, blocked_text, ...told, from: at, to: at }
  if (isSame(last, next)) return module
  const before = at === last.from ? stretches.slice(0, -1) : [...stretches.slice(0, -1), { ...last, to: at }]
  const { from: _, to: __, ...now } = next
  return {
    ...module,
    ...now,
    since: now.state === module.state ? since : at,
    stretches: [...before, next],
  }
}

const isSame = (one: Stretch, other: Stretch): boolean =>
  one.state === other.state &&
  one.task === other.task &&
  one.task_type === other.task_type &&
  one.blocked_reason === other.blocked_reason &&
  one.blocked_text === other.blocked_text

/** The same in another time: what began before it is cut, and what lasts goes on to its end. */
export function performanceIn(
  shown: Performance,
  span: { readonly from: number; readonly to: number },
): Performance {
  const [from, to] = [new Date(span.from).toISOString(), new Date(span.to).toISOString()]
  return { ...shown, from, to, items: shown.items.map((one) => moduleIn(one, from, to)) }
}

function moduleIn(module: ModulePerformance, from: string, to: string): ModulePerformance {
  const all = module.stretches ?? []
  const stretches = all
    .map((one, at) => ({
      ...one,
      from: one.from < from ? from : one.from,
      to: at === all.length - 1 ? to : one.to,
    }))
    .filter((one) => one.from < one.to)
  const whole = Date.parse(to) - Date.parse(from)
  const times = new Map(module.shares.map(({ state }) => [state, 0]))
  for (const one of stretches)
    times.set(one.state, (times.get(one.state) ?? 0) + Date.parse(one.to) - Date.parse(one.from))
  const shares = [...times].map(([state, ms]) => ({ state, seconds: ms / 1000, share: ms / whole }))
  return { ...module, stretches, shares }
}
