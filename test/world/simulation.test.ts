import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)
/** Each takes seconds; on a busy machine they share it with all other tests. */
const TIMEOUT_MS = 600_000

/** What a simulation of a little more than an hour prints: in a process of its own, since it takes over time and sockets. */
async function simulated(seed: number, ...more: readonly string[]): Promise<string> {
  const args = ['--seed', String(seed), '--days', '0.03', '--tools', '4', '--interval', '30', '--faults', '3']
  const program = ['scripts/run.mjs', 'stress/simulate.ts', ...args, ...more]
  const { stdout } = await run(process.execPath, program, { maxBuffer: 64 * 1024 * 1024 }).catch(
    (error: { readonly stdout: string }) => error,
  )
  return stdout
}

const diskOf = (report: string): string | undefined => /disk (\w+)/.exec(report)?.[1]

/** More seeds are `npm run simulate`: each of these is ten seconds of a processor. */
test.concurrent.each([1, 2, 3])(
  'what the documentation promises holds in a simulated hour, seed %i',
  async (seed) => {
    const report = await simulated(seed)
    expect(report).toMatch(/^calm checks +1$/m)
    expect(report).not.toMatch(/^at step/m)
    expect(Number(/^reports shown +(\d+)$/m.exec(report)?.[1])).toBeGreaterThan(50)
  },
  TIMEOUT_MS,
)

test.concurrent.each([1])(
  'the same holds with two gateways that share a database, seed %i',
  async (seed) => {
    const report = await simulated(seed, '--days', '0.01', '--faults', '2', '--gateways', '2')
    expect(report).toMatch(/^calm checks +1$/m)
    expect(report).not.toMatch(/^at step/m)
    expect(Number(/^reports shown +(\d+)$/m.exec(report)?.[1])).toBeGreaterThan(20)
  },
  TIMEOUT_MS,
)

test(
  'the same seed gives the same disk, byte for byte',
  async () => {
    const twice = [simulated(11, '--days', '0.01'), simulated(11, '--days', '0.01')]
    const [one = '', again = ''] = await Promise.all(twice)
    expect(diskOf(one)).toMatch(/^[0-9a-f]{16}$/)
    expect(diskOf(again)).toBe(diskOf(one))
  },
  TIMEOUT_MS,
)
