import { join } from 'node:path'

/** The file that node runs. */
export const runFile = (root: string): string => join(root, 'bin', 'run.js')

/**
 * What runs the daemon in a process of its own. V8's young generation would grow to 48 MB, most of it garbage of
 * lists: held down, the process is a fifth smaller and no slower.
 */
export const daemonProgram = (root: string): readonly [string, ...string[]] => [
  process.execPath,
  '--max-semi-space-size=4',
  runFile(root),
  'daemon',
  'run',
]

/** A file of the bundle. */
export const bundleFile = (root: string, name: string): string => join(root, 'dist', name)
