import { realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The file that node was started with: `bin/run.js`, wherever it is installed. */
export function runFile(): string {
  return realpathSync(process.argv[1] ?? '')
}

/**
 * What runs the daemon in a process of its own. V8's young generation would grow to 48 MB, most of it what lists
 * left: held down, the process is a fifth smaller and no slower.
 */
export const daemonProgram = (): readonly [string, ...string[]] => [
  process.execPath,
  '--max-semi-space-size=4',
  runFile(),
  'daemon',
  'run',
]

/** A file of the bundle. */
export function bundleFile(name: string): string {
  return join(dirname(runFile()), '..', 'dist', name)
}
