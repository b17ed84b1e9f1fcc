import { execFile } from 'node:child_process'
import { availableParallelism } from 'node:os'

/** One of several simulations that run at once. */
export interface Run {
  readonly seed: number
  readonly days: number
  /** When it begins; by the seed when left out. */
  readonly from?: string
}

/** Each month of a year, with a seed of its own. */
export const monthsOf = (year: number, seed: number): readonly Run[] =>
  Array.from({ length: 12 }, (_, month) => ({
    seed: seed + month,
    days: new Date(Date.UTC(year, month + 1, 0)).getUTCDate(),
    from: new Date(Date.UTC(year, month)).toISOString().slice(0, 10),
  }))

const COLUMNS = ['seed', 'from', 'days', 'starts', 'faults', 'reports', 'steps', 'processor s', 'times']
const row = (cells: readonly unknown[]): string => cells.map((cell) => String(cell).padEnd(11)).join(' ')

/** Resolves with the exit code of Node with these arguments, and what it printed. Once it is aborted it prints what has passed. */
const alone = (args: readonly string[], signal: AbortSignal): Promise<readonly [unknown, string]> =>
  new Promise((resolve) => {
    const settings = { maxBuffer: 64 * 1024 * 1024 }
    const child = execFile(process.execPath, args, settings, (error, stdout, stderr) =>
      resolve([error?.code ?? error?.signal ?? 0, stdout + stderr]),
    )
    signal.addEventListener('abort', () => child.kill())
  })

const sum = (report: string, pattern: RegExp): number =>
  [...report.matchAll(pattern)].reduce((total, [, count]) => total + Number(count), 0)

/**
 * Runs `program`, which are arguments of Node, for each of them: as many at once as there are cores. Prints a row of each
 * when it ends, and its report where its exit code is not 0. Resolves with true where none has another one.
 */
export async function runSideBySide(
  runs: readonly Run[],
  program: readonly string[],
  { print, signal }: { readonly print: (text: string) => void; readonly signal: AbortSignal },
): Promise<boolean> {
  const left = [...runs]
  let holds = true
  print(row([...COLUMNS, 'result']))
  const runOne = async ({ seed, days, from }: Run): Promise<void> => {
    const own = ['--seed', `${seed}`, '--days', `${days}`, ...(from === undefined ? [] : ['--from', from])]
    const [code, report] = await alone([...program, ...own], signal)
    const figures = [
      sum(report, /^starts of a gateway +(\d+)$/gm),
      sum(report, /^fault: .* (\d+)$/gm),
      sum(report, /^reports acknowledged +(\d+)$/gm),
      sum(report, /: (\d+) steps until /g),
      sum(report, /^(\S+) s of the processor: /gm),
      sum(report, /processor: made-up time passed (\d+) times/g),
    ]
    print(row([seed, from ?? '', days, ...figures, code === 0 ? 'all held' : `exit code ${code}`]))
    if (code === 0) return
    holds = false
    print(report)
  }
  const work = async (): Promise<void> => {
    for (let run = left.shift(); run && !signal.aborted; run = left.shift()) await runOne(run)
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  return holds
}
