import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Builds the command line once before the tests that run it. */
export async function setup(): Promise<void> {
  await promisify(execFile)(process.execPath, ['scripts/build.mjs'], {
    cwd: new URL('../..', import.meta.url),
  })
}
