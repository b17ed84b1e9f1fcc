/** One way to do a case: `run` does it once. */
export interface Contender {
  readonly name: string
  run(): unknown
}

/** Kept where the compiler cannot see that nobody reads it: what is measured has to happen. */
let sink: unknown
export const lastResult = (): unknown => sink

/** How long one look at one contender lasts, in milliseconds. */
const LOOK = 150

/**
 * How often each contender runs in a second of the processor: the median of `rounds` looks, taken in turns, so
 * that what else the machine does meets all of them alike.
 */
export function rates(contenders: readonly Contender[], rounds = 7): Map<string, number> {
  const looks = new Map(contenders.map(({ name }) => [name, [] as number[]]))
  for (const contender of contenders) look(contender, 2 * LOOK)
  for (let round = 0; round < rounds; round++) {
    for (const contender of contenders) looks.get(contender.name)?.push(look(contender, LOOK))
  }
  return new Map([...looks].map(([name, seen]) => [name, median(seen)]))
}

function look({ run }: Contender, milliseconds: number): number {
  const batch = Math.max(1, Math.floor(5 / timed(run, 1)))
  const end = process.hrtime.bigint() + BigInt(milliseconds) * 1_000_000n
  let runs = 0
  let spent = 0
  do {
    spent += timed(run, batch)
    runs += batch
  } while (process.hrtime.bigint() < end)
  return (runs / spent) * 1000
}

/** Milliseconds of the processor for `times` runs, collecting their garbage included. */
function timed(run: () => unknown, times: number): number {
  const start = process.cpuUsage()
  for (let time = 0; time < times; time++) sink = run()
  const { user, system } = process.cpuUsage(start)
  return Math.max(1, user + system) / 1000
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const high = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? high : ((sorted[middle - 1] ?? high) + high) / 2
}
