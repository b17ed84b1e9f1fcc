import { Problem } from '../../contract/errors.js'
import type { SinkChange } from '../../contract/topics/sinks/sink.js'
import { SINK_KINDS, type SinkKindName } from '../../contract/topics/sinks/targets.js'
import { defined } from '../../kit/defined.js'
import type { Journal } from '../../store/journal.js'
import { selectorGiven } from '../equipment/equipment-labels.js'
import { searchedByMessages } from '../events/event-filters.js'
import { timeOf } from '../records/time-range.js'
import type { SinkKind, SinkWorld } from './kinds/kind.js'
import { KINDS } from './kinds/kinds.js'
import { invalid } from './kinds/target-rules.js'
import type { SinkRecord } from './sink-record.js'

/** The kind of the target that is given. Throws `invalid_request` unless there is exactly one. */
export function kindOf(given: SinkChange): SinkKindName {
  const [kind, ...others] = SINK_KINDS.filter((name) => given[name] !== undefined)
  if (kind && others.length === 0) return kind
  const detail = `a sink has exactly one of ${SINK_KINDS.join(', ')}`
  throw new Problem('invalid_request', `${detail}.`, { errors: [{ pointer: '', detail }] })
}

/**
 * Throws `invalid_request` for what a sink cannot have. `before`: its record, of a new sink only its kind.
 * `others`: all other sinks.
 */
export function refuseImpossible(
  change: SinkChange,
  before: Pick<SinkRecord, 'kind'> & Partial<SinkRecord>,
  world: Pick<SinkWorld, 'localTargets'>,
  others: readonly SinkRecord[],
): void {
  const { kind: name } = before
  const kind: SinkKind<unknown> = KINDS[name]
  selectorGiven({ label_selector: change.label_selector ?? null }, '/label_selector')
  for (const other of SINK_KINDS)
    if (change[other] && other !== name) throw invalid(`/${other}`, `is not of a sink of the kind ${name}`)
  const { types, names, messages } = { ...before, ...defined(change) }
  if (messages && types && !types.includes('message'))
    throw invalid('/messages', 'are events of the type message, which is not among the types')
  const wanted = defined({ type: types ? [...types] : undefined, name: names ? [...names] : undefined })
  if (searchedByMessages(wanted, messages ?? null).kinds?.length === 0)
    throw invalid(
      '/names',
      'are names of other events than the types and messages: nothing would be delivered',
    )
  const target = change[name] ?? before[name]
  if (change[name]) kind.refuseTarget(target, world, others)
  kind.refuseMembers?.(change, target, change.format ?? before.format ?? 'event')
  if (change.secret) kind.refuseSecret(change.secret, target)
}

/**
 * Throws `invalid_request` where a change has a stored secret sent to another host or port, or less protected: who changes
 * a sink need not know its secret.
 */
export function refuseOtherHost(change: SinkChange, before: SinkRecord): void {
  const kind: SinkKind<unknown> = KINDS[before.kind]
  const target = change[before.kind]
  const isKept = change.secret === undefined && (before.secret !== null || before.unopened !== undefined)
  if (!target || !isKept) return
  const known = new Set(kind.destinations(before[before.kind]))
  if (kind.destinations(target).some((one) => !known.has(one)))
    throw invalid('/secret', 'is needed again, since the sink gets another host or port, or other protection')
}

/** The position of a sink that starts there. Throws `invalid_request`. */
export async function positionAt(start: string, journal: Journal): Promise<number> {
  if (start === 'now') return journal.last
  if (start === 'oldest') return journal.first - 1
  const from = startTime(start)
  const { entries, readTo } = await journal.read({ from, order: 'asc', limit: 1 })
  return entries.length > 0 ? readTo - 1 : readTo
}

function startTime(start: string): string {
  try {
    return timeOf(start) ?? ''
  } catch {
    throw invalid('/start', 'is not now, oldest or an RFC 3339 time')
  }
}
