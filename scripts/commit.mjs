import { execFileSync } from 'node:child_process'

const git = (root, ...args) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()

/** The commit of the sources at `root`, with `-dirty` where they differ from it; undefined without git. */
export function commitOf(root) {
  try {
    const isClean = git(root, 'status', '--porcelain') === ''
    return git(root, 'rev-parse', '--short=12', 'HEAD') + (isClean ? '' : '-dirty')
  } catch {
    return undefined
  }
}

/** When it was made, in seconds: the time of all files in packages. Without git it is 2000-01-01. */
export function commitTime(root) {
  if (process.env.SOURCE_DATE_EPOCH) return Number(process.env.SOURCE_DATE_EPOCH)
  try {
    return Number(git(root, 'log', '-1', '--format=%ct'))
  } catch {
    return 946_684_800
  }
}
