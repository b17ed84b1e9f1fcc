import type { StoredEntry } from './tables.js'

/** Rows of one answer, in bytes of `data`, as the statement of a page says. */
const PAGE_BYTES = 8 * 1024 * 1024

type Values = readonly unknown[]
type Test = (entry: StoredEntry, values: Values) => boolean

/** The page of a query of the journal, read from its statement: the conditions are those that `journal-query.ts` writes. */
export interface PageStatement {
  readonly isRising: boolean
  readonly limit: (values: Values) => number
  readonly after: (values: Values) => number
  readonly before: (values: Values) => number
  readonly tests: readonly Test[]
}

const known = new Map<string, PageStatement>()

export function pageStatement(text: string): PageStatement {
  const parsed = known.get(text) ?? parse(text)
  known.set(text, parsed)
  return parsed
}

const COLUMNS = 'SELECT seq, key, type, name, topic, at, data, mark FROM entry WHERE '
const place = (text: string): number => Number(/\$(\d+)/.exec(text)?.[1]) - 1

function parse(text: string): PageStatement {
  const start = text.indexOf(COLUMNS) + COLUMNS.length
  const end = text.indexOf(' ORDER BY seq ', start)
  const isRising = text.startsWith(' ORDER BY seq ASC', end)
  const limitAt = place(text.slice(text.indexOf(' LIMIT ', end)))
  const keys = /FROM unnest\(\$(\d+)::text\[\]\) AS one/.exec(text)
  const conditions = text.slice(start, end).split(' AND ')
  let after = 0
  let before = 0
  const tests: Test[] = []
  for (const condition of conditions) {
    const at = place(condition)
    if (condition.startsWith('seq > ')) after = at
    else if (condition.startsWith('seq < ')) before = at
    else if (condition === 'key = one')
      tests.push(({ key }, values) => list(values, Number(keys?.[1]) - 1).includes(key))
    else if (!/^(journal = |seq >= \(|day )/.test(condition)) tests.push(testOf(condition))
    else if (condition.startsWith('day >= ')) tests.push(({ day }, values) => day >= String(values[at]))
    else if (condition.startsWith('day <= ')) tests.push(({ day }, values) => day <= String(values[at]))
  }
  return {
    isRising,
    limit: (values) => Number(values[limitAt]),
    after: (values) => Number(values[after]),
    before: (values) => Number(values[before]),
    tests,
  }
}

const list = (values: Values, at: number): readonly string[] => values[at] as readonly string[]

function testOf(condition: string): Test {
  const at = place(condition)
  const either = /^\((?:(.*) OR )?\(type, name\) IN \((.*)\)\)$/.exec(condition)
  if (either) {
    const whole = either[1] === undefined ? undefined : testOf(either[1])
    const pairs = [...(either[2] ?? '').matchAll(/\(\$(\d+), \$(\d+)\)/g)].map(
      ([, type, name]) => [Number(type) - 1, Number(name) - 1] as const,
    )
    return (entry, values) =>
      whole?.(entry, values) === true ||
      pairs.some(([type, name]) => entry.type === values[type] && entry.name === values[name])
  }
  const [, column, operator] = /^(\w+) (>=|<|= ANY|=) /.exec(condition) ?? []
  const of = column as 'key' | 'type' | 'topic' | 'at'
  if (!['key', 'type', 'topic', 'at'].includes(of)) throw new Error(`the model does not know: ${condition}`)
  if (operator === '= ANY') return (entry, values) => list(values, at).includes(String(entry[of]))
  if (operator === '>=') return (entry, values) => entry.at >= Number(values[at])
  if (operator === '<') return (entry, values) => entry.at < Number(values[at])
  return (entry, values) => entry[of] === values[at]
}

/** The entries of a page in its order, and how many there were before it was cut for its bytes. */
export function pageOf(
  entries: readonly StoredEntry[],
  first: number,
  statement: PageStatement,
  values: Values,
): { readonly rows: readonly StoredEntry[]; readonly count: number } {
  const [after, before] = [Math.max(first - 1, statement.after(values)), statement.before(values)]
  const limit = statement.limit(values)
  const found: StoredEntry[] = []
  const take = (entry: StoredEntry): void => {
    if (statement.tests.every((test) => test(entry, values))) found.push(entry)
  }
  const [from, to] = [firstAbove(entries, after), firstAbove(entries, before - 1)]
  if (statement.isRising)
    for (let at = from; at < to && found.length < limit; at++) take(entries[at] as StoredEntry)
  else for (let at = to - 1; at >= from && found.length < limit; at--) take(entries[at] as StoredEntry)
  let bytes = 0
  const rows = found.filter(({ data }) => {
    const isIn = bytes < PAGE_BYTES
    bytes += Buffer.byteLength(data)
    return isIn
  })
  return { rows, count: found.length }
}

/** Where the first entry with a higher number is. */
function firstAbove(entries: readonly StoredEntry[], seq: number): number {
  let [low, high] = [0, entries.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((entries[middle] as StoredEntry).seq <= seq) low = middle + 1
    else high = middle
  }
  return low
}
