import { completionReply } from './completion/completion-reply.js'
import { readCommandTree } from './completion/manifest.js'
import { namesHere } from './completion/names.js'
import { processEnvironment } from './process-environment.js'

/** Writes the candidates for a completion script, and ends the process. Writes nothing on standard error: the user is typing there. */
export async function complete(args: readonly string[], root: string): Promise<void> {
  const environment = processEnvironment(root)
  const { stdout } = environment
  const text = await readCommandTree(root)
    .then((tree) => completionReply(args, tree, namesHere(environment)))
    .catch(() => '')
  await new Promise((resolve) => {
    stdout.on('error', resolve)
    stdout.write(text, resolve)
  })
  environment.interruption.end(0)
}
