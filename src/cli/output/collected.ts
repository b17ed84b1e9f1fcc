import type { Environment } from '../environment.js'

/** What a command printed. */
export interface Collected {
  stdout: string
  /** What it wrote on standard error, a note at a time. */
  readonly notes: string[]
}

/**
 * The same environment for a command whose output is kept: as wide as the real one, and without a terminal for
 * questions and progress.
 */
export function collecting(
  environment: Environment,
  isTTY = environment.stdout.isTTY,
): { readonly environment: Environment; readonly collected: Collected } {
  const collected: Collected = { stdout: '', notes: [] }
  const stream = (real: NodeJS.WriteStream, isTTY: boolean, add: (text: string) => void) => {
    const write = (text: string): boolean => {
      add(text)
      return true
    }
    return { isTTY, columns: real.columns, rows: real.rows, write } as unknown as NodeJS.WriteStream
  }
  const stdout = stream(environment.stdout, isTTY, (text) => {
    collected.stdout += text
  })
  const stderr = stream(environment.stderr, false, (text) => collected.notes.push(text))
  return { environment: { ...environment, stdout, stderr, exitCode: 0 }, collected }
}
