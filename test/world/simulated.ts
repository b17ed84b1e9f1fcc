import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'vitest'

const run = promisify(execFile)

/** What a simulation of a little more than an hour prints: in a process of its own, since it takes over time and sockets. */
export async function simulated(seed: number, ...more: readonly string[]): Promise<string> {
  const args = ['--seed', String(seed), '--days', '0.03', '--tools', '4', '--interval', '30', '--faults', '3']
  const program = ['--max-semi-space-size=64', 'scripts/run.mjs', 'stress/simulate.ts', ...args, ...more]
  const { stdout } = await run(process.execPath, program, { maxBuffer: 64 * 1024 * 1024 }).catch(
    (error: { readonly stdout: string }) => error,
  )
  return stdout
}

/** It came to its end, with all that was promised, and more than so many reports of tools were shown. */
export function expectAllHeld(report: string, reports: number, checks = 1): void {
  expect(Number(/^calm checks +(\d+)$/m.exec(report)?.[1])).toBe(checks)
  expect(report).not.toMatch(/^at step/m)
  expect(Number(/^reports shown +(\d+)$/m.exec(report)?.[1])).toBeGreaterThan(reports)
}

/** How often something happened, by the report. */
export const timesOf = (report: string, what: string): number =>
  Number(new RegExp(`^${what} +(\\d+)$`, 'm').exec(report)?.[1] ?? 0)
