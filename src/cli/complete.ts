import { systemClock } from '../kit/clock.js'
import { answer } from './completion/answer.js'
import { readCommandTree } from './completion/manifest.js'
import { namesHere } from './completion/names.js'

/**
 * Answers what a completion script asks, and ends the process. Nothing is said on standard error, whatever
 * happens: somebody is typing there.
 */
export async function complete(args: readonly string[], root: string): Promise<never> {
  const text = await readCommandTree(root)
    .then((tree) => answer(args, tree, namesHere(systemClock)))
    .catch(() => '')
  await new Promise((resolve) => {
    process.stdout.on('error', resolve)
    process.stdout.write(text, resolve)
  })
  process.exit(0)
}
