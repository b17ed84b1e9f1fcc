import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** All that a build reads. */
const SOURCES = ['src', 'commands', 'scripts', 'bin', 'package.json', 'package-lock.json']

/** When the newest of it was written. The time of a folder is when a file was last added to it or removed. */
function newest(path: string): number {
  const found = statSync(path)
  const below = found.isDirectory() ? readdirSync(path).map((name) => newest(join(path, name))) : []
  return Math.max(found.mtimeMs, ...below)
}

/** What the last build wrote last is newer than all sources, and the commit that it names is this one. */
async function isBuilt(): Promise<boolean> {
  const commit = join(ROOT, 'scripts', 'commit.mjs')
  const { commitOf } = (await import(commit)) as { commitOf: (root: string) => string | undefined }
  try {
    const built = statSync(join(ROOT, 'oclif.manifest.json')).mtimeMs
    const { commit: builtOf } = JSON.parse(readFileSync(join(ROOT, 'dist', 'package.json'), 'utf8'))
    return builtOf === commitOf(ROOT) && SOURCES.every((name) => newest(join(ROOT, name)) < built)
  } catch {
    return false
  }
}

/** Builds the command line once before the tests that run it. */
export async function setup(): Promise<void> {
  if (await isBuilt()) return
  await promisify(execFile)(process.execPath, ['scripts/build.mjs'], { cwd: ROOT })
}
