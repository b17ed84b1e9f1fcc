import { type RecordedValue, variableEndpoints } from '../../../contract/topics/variables.js'
import type { GatewayCalls } from '../../gateway/call.js'
import { isLotName } from '../../gateway/job.js'
import { numberOf, type Variable } from '../recorded-series.js'
import { type DrawnRun, drawnRuns, type LotRun, runsOf } from './runs.js'

const PAGE = 1000
/** Pages of one variable that are read at once. */
const MAX_PAGES = 20

export interface Range {
  readonly from: number
  /** Undefined until now. */
  readonly to?: number
}

interface Reading {
  readonly calls: Pick<GatewayCalls, 'call'>
  readonly id: string
  readonly signal: AbortSignal
}

const timesOf = ({ from, to }: Range) => ({
  from: new Date(from).toISOString(),
  ...(to !== undefined && { to: new Date(to).toISOString() }),
})

/** The values of variables in a time, oldest first, and whether there are more before them. */
async function readValues({ calls, id, signal }: Reading, ids: readonly string[], range: Range) {
  const values: RecordedValue[] = []
  let cursor: string | null | undefined
  for (let page = 0; page < MAX_PAGES && cursor !== null; page++) {
    const query = { id: [...ids], ...timesOf(range), limit: PAGE, ...(cursor && { cursor }) }
    const found = await calls.call(variableEndpoints.listVariableHistory, { params: { id }, query }, signal)
    for (const one of found.items) values.push(one)
    cursor = found.next_cursor
  }
  return { values: values.reverse(), isCut: Boolean(cursor) }
}

/** The variables that reported numbers lately, and those whose name says that they have the lot. */
export async function readRunVariables({ calls, id, signal }: Reading, range: Range) {
  const params = { id }
  const listed = async (kind: 'status' | 'data') =>
    (
      await calls
        .call(variableEndpoints.listVariables, { params, query: { kind, known: true } }, signal)
        // Equipment need not have such a list.
        .catch(() => ({ items: [] }))
    ).items.filter(({ name }) => isLotName(name))
  const [status, data, { items }] = await Promise.all([
    listed('status'),
    listed('data'),
    calls.call(
      variableEndpoints.listVariableHistory,
      { params, query: { ...timesOf(range), limit: PAGE } },
      signal,
    ),
  ])
  const numbers = new Map<string, Variable>()
  const lots = new Set([...status, ...data].map((one) => one.id))
  for (const one of items) {
    const key = one.id ?? one.name ?? ''
    if (one.name && isLotName(one.name)) lots.add(key)
    else if (numberOf(one) !== undefined) numbers.set(key, { id: key, name: one.name || key })
  }
  return {
    lots: [...lots],
    variables: [...numbers.values()].sort((one, other) => one.name.localeCompare(other.name)),
  }
}

/** The runs of a time with the values of a variable. `now`: the end of a run that goes on. Throws `Refused`. */
export async function readRuns(
  reading: Reading,
  lots: readonly string[],
  variable: string,
  range: Range,
  now: number,
): Promise<{ readonly runs: readonly DrawnRun[]; readonly isCut: boolean }> {
  if (lots.length === 0) return { runs: [], isCut: false }
  const reported = await readValues(reading, lots, range)
  const runs: readonly LotRun[] = runsOf(reported.values, range.to ?? now)
  const first = runs.at(-1)
  if (!first) return { runs: [], isCut: reported.isCut }
  const last = Math.max(...runs.map(({ to }) => to))
  const values = await readValues(reading, [variable], { from: first.from, to: last + 1 })
  return { runs: drawnRuns(runs, values.values), isCut: reported.isCut || values.isCut }
}
