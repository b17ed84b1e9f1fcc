import { execFileSync } from 'node:child_process'

/** The commit of the sources at `root`, with `-dirty` where they differ from it; undefined without git. */
export function commitOf(root) {
  const git = (...args) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  try {
    return git('rev-parse', '--short=12', 'HEAD') + (git('status', '--porcelain') === '' ? '' : '-dirty')
  } catch {
    return undefined
  }
}
