import type { Verdict } from '../run/result.js'
import type { ComparedResult } from './embedded-result.js'

/** `worse`, `better`: another verdict. `new`, `gone`: the other run does not have the check. `values`: other values, or another failure. */
export type Change = 'worse' | 'better' | 'new' | 'gone' | 'values'

export interface Difference {
  readonly change: Change
  /** Groups and title of the check. */
  readonly check: string
  readonly before: string
  readonly after: string
}

/** From the best to the worst. */
const ORDER: readonly Verdict[] = ['passed', 'skipped', 'inconclusive', 'failed']
const CHANGES: readonly Change[] = ['worse', 'gone', 'values', 'new', 'better']

type Step = ComparedResult['steps'][number]

/** What differs between two runs, the worst first. Checks are the same where their groups and titles are. */
export function differences(before: ComparedResult, after: ComparedResult): readonly Difference[] {
  const [old, now] = [byCheck(before), byCheck(after)]
  const gone = [...old].flatMap(([check, step]) =>
    now.has(check) ? [] : [{ change: 'gone' as const, check, before: words(step), after: '' }],
  )
  const others = [...now].flatMap(([check, step]) => changed(check, old.get(check), step))
  return [...gone, ...others].sort(
    (one, other) => CHANGES.indexOf(one.change) - CHANGES.indexOf(other.change),
  )
}

/** Steps by groups and title; a further one of the same gets a number, as in a repeated group. */
function byCheck({ steps }: ComparedResult): ReadonlyMap<string, Step> {
  const found = new Map<string, Step>()
  const counts = new Map<string, number>()
  for (const step of steps) {
    const name = [...step.groups, step.title].join(': ')
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    found.set(count === 1 ? name : `${name} (${count})`, step)
  }
  return found
}

function changed(check: string, before: Step | undefined, after: Step): readonly Difference[] {
  if (!before) return [{ change: 'new', check, before: '', after: words(after) }]
  const [was, is] = [ORDER.indexOf(before.verdict), ORDER.indexOf(after.verdict)]
  if (was !== is)
    return [{ change: is > was ? 'worse' : 'better', check, before: words(before), after: words(after) }]
  if (after.verdict === 'skipped') return []
  if (before.detail !== after.detail)
    return [{ change: 'values', check, before: before.detail, after: after.detail }]
  const names = [...new Set([...Object.keys(before.seen ?? {}), ...Object.keys(after.seen ?? {})])].filter(
    (name) => text(before.seen?.[name]) !== text(after.seen?.[name]),
  )
  if (names.length === 0) return []
  const shown = (step: Step): string => names.map((name) => `${name} ${text(step.seen?.[name])}`).join(', ')
  return [{ change: 'values', check, before: shown(before), after: shown(after) }]
}

const words = ({ verdict, detail }: Step): string => (detail === '' ? verdict : `${verdict}: ${detail}`)

const text = (value: unknown): string =>
  value === undefined ? '-' : typeof value === 'string' ? value : JSON.stringify(value)
