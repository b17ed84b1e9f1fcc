import { editDistance } from '../../kit/text/edit-distance.js'
import { readInstalled } from '../installation.js'

/** A word is taken for another that differs from it in so much of its length. */
const FARTHEST = 0.34

/** The command that was most likely meant by `given`, which is typed text with or without arguments. */
export function meant(given: string, commands: readonly string[]): string | undefined {
  const words = given.split(' ')
  let best: { readonly command: string; readonly off: number } | undefined
  for (const command of commands) {
    const meantWords = command.split(' ')
    // Each word by itself: a noun that is right does not make up for a verb that is none.
    const offs = meantWords.map((word, at) => editDistance(words[at] ?? '', word) / word.length)
    const off = Math.max(...offs)
    if (off <= FARTHEST && off < (best?.off ?? 1)) best = { command, off }
  }
  // A noun alone, in the singular or with its arguments: its commands are listed.
  const noun = commands
    .filter((command) => command.includes(' '))
    .map((command) => command.split(' ')[0])
    .find((one) => one === words[0] || one === `${words[0]}s`)
  if (best === undefined && noun !== undefined) return noun
  // A verb alone, such as `connect etcher`, where only one noun has it.
  const verbs = commands.filter((command) => command.endsWith(` ${words[0]}`) && !command.startsWith('eq '))
  return best?.command ?? (verbs.length === 1 ? verbs[0] : undefined)
}

interface Manifest {
  readonly commands: Readonly<Record<string, { readonly aliases?: readonly string[] }>>
}

/** All commands as they are typed; none where the installation has no manifest. */
export async function commandNames(root: string): Promise<string[]> {
  try {
    const manifest = await readInstalled(root, 'oclif.manifest.json')
    return Object.entries((manifest as Manifest).commands)
      .flatMap(([id, { aliases = [] }]) => [id, ...aliases])
      .map((id) => id.replaceAll(':', ' '))
  } catch {
    return []
  }
}
