import { pointerStep } from '../../kit/text/json-text.js'
import type { FilePlace, Scenario, ScenarioProblem, Step } from '../file/read-scenario.js'
import type { Expectation } from '../file/schema.js'
import { filled, namesIn } from '../file/variables.js'

/** What the gateway knows of equipment: names, and ids as text. A list that it does not have is empty. */
export interface KnownNames {
  readonly events: readonly string[]
  readonly status: readonly string[]
  readonly data: readonly string[]
  readonly constants: readonly string[]
}

/** Problems that are named at most. */
const MAX_PROBLEMS = 100

const isName = (value: unknown): value is string => typeof value === 'string' && !/^\d+$/.test(value)
const lower = (name: string): string => name.toLowerCase()
/** As the gateway takes names: without case and punctuation. */
const plain = (name: string): string => lower(name.normalize().replace(/[^\p{L}\p{N}]/gu, '')) || name

/** Whether a list has a name or an id. */
export const hasName = (list: readonly string[], name: string): boolean =>
  list.some((one) => plain(one) === plain(name))

/**
 * Names of events and variables that the equipment does not have, so that the step could never pass. An id is taken as
 * it is, and a list that the gateway does not have is not looked at. A name with a variable that gets its value during
 * the run is not checked.
 */
export function unknownNames(
  scenario: Scenario,
  variables: Readonly<Record<string, unknown>>,
  known: KnownNames,
): readonly ScenarioProblem[] {
  const found = new Map<string, ScenarioProblem>()
  const events = new Set(known.events.map(lower))
  const readable = new Set([...known.status, ...known.constants].map(plain))
  const values = new Set([...known.status, ...known.data, ...known.constants])
  const say = (place: FilePlace, detail: string): void => {
    const problem = { ...place, detail }
    if (found.size < MAX_PROBLEMS) found.set(JSON.stringify(problem), problem)
  }
  const event = (place: FilePlace, name: unknown): void => {
    if (isName(name) && events.size > 0 && !events.has(lower(name)))
      say(place, `the equipment has no event ${name}: secsctl reports list`)
  }
  const notToCome = (never: unknown, placeOf: Step['placeOf']): void => {
    for (const [at, one] of (Array.isArray(never) ? never : []).entries())
      if (typeof one === 'object') event(placeOf(`/never/${at}/event`), one.event)
  }
  const expectation = (
    placeOf: Step['placeOf'],
    { event: name, where = {}, capture = {} }: Expectation,
  ): void => {
    if (name === undefined) return
    event(placeOf('/expect/event'), name)
    if (known.data.length === 0 || known.status.length === 0) return
    const absent = (matcher: unknown): boolean => (matcher as { present?: unknown } | null)?.present === false
    const looked = Object.entries(where).flatMap(([one, matcher]) =>
      absent(matcher) ? [] : [[one, `/where${pointerStep(one)}`] as const],
    )
    const taken = Object.entries(capture).map(([one, from]) => [from, `/capture${pointerStep(one)}`] as const)
    for (const [value, pointer] of [...looked, ...taken]) {
      const [first = ''] = value.split('.')
      if (isName(value) && !ITEMS.includes(first) && !values.has(value) && !values.has(first))
        say(
          placeOf(`/expect${pointer}`),
          `the equipment has no variable ${value}, which the event would report: secsctl variables list`,
        )
    }
  }
  const walk = (steps: readonly Step[], scope: Map<string, unknown>): void => {
    for (const { kind, written, placeOf, steps: inner, used, rounds = [] } of steps) {
      const full = (value: unknown): unknown =>
        namesIn(value).every((name) => scope.has(name)) ? filled(value, scope) : undefined
      notToCome(full(written.never), placeOf)
      const read = kind === 'read' ? full(written.read) : undefined
      if (isName(read) && known.status.length > 0 && !readable.has(plain(read)))
        say(placeOf('/read'), `the equipment has no status variable ${read}: secsctl variables list`)
      const expected = kind === 'expect' ? full(written.expect) : undefined
      if (expected !== undefined) expectation(placeOf, expected as Expectation)
      if (kind === 'group') walk(inner, scope)
      for (const round of rounds) walk(inner, new Map([...scope, ...Object.entries(round)]))
      if (used) {
        const given = Object.entries(written.with ?? {}).map(([name, value]) => [name, full(value)] as const)
        const within = new Map(Object.entries({ ...used.set, ...Object.fromEntries(given) }))
        for (const [name, value] of given) if (value === undefined) within.delete(name)
        notToCome(used.never, used.placeOf)
        walk(used.steps, within)
      }
      // Its value is another one from here on, which nobody knows before the run.
      const { capture } = kind === 'expect' ? (written.expect as Expectation) : written
      for (const name of Object.keys(capture ?? {})) scope.delete(name)
    }
  }
  notToCome(scenario.never, scenario.placeOf)
  walk(scenario.steps, new Map(Object.entries(variables)))
  return [...found.values()]
}

/** Items of S6F11, S6F13 and their reports, which `where` may name, too. */
const ITEMS: readonly string[] = ['DATAID', 'CEID', 'REPORTS', 'RPTID', 'V', 'ROWS']
