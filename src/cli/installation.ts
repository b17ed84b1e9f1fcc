import { realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The file that node was started with: `bin/run.js`, wherever it is installed. */
export function runFile(): string {
  return realpathSync(process.argv[1] ?? '')
}

/** A file of the bundle. */
export function bundleFile(name: string): string {
  return join(dirname(runFile()), '..', 'dist', name)
}
