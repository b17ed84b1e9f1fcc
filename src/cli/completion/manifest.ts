import { readInstalled } from '../installation.js'

export interface FlagEntry {
  readonly type: 'boolean' | 'option'
  readonly char?: string
  readonly summary?: string
  readonly helpValue?: string
  readonly options?: readonly string[]
  readonly multiple?: boolean
  readonly hidden?: boolean
}

export interface CommandEntry {
  readonly summary?: string
  readonly hidden?: boolean
  readonly strict?: boolean
  readonly aliases?: readonly string[]
  readonly hiddenAliases?: readonly string[]
  readonly args?: Readonly<
    Record<string, { readonly options?: readonly string[]; readonly required?: boolean }>
  >
  readonly flags?: Readonly<Record<string, FlagEntry>>
}

/** All commands by their ids, `equipment:list`, and what each noun is about. */
export interface CommandTree {
  readonly commands: Readonly<Record<string, CommandEntry>>
  readonly topics: Readonly<Record<string, { readonly description?: string }>>
}

/** The commands of the installation at `root`, as oclif's manifest has them. */
export async function readCommandTree(root: string): Promise<CommandTree> {
  const [manifest, description] = await Promise.all([
    readInstalled(root, 'oclif.manifest.json'),
    readInstalled(root, 'package.json'),
  ])
  const { oclif } = description as { readonly oclif?: Partial<Pick<CommandTree, 'topics'>> }
  return { commands: (manifest as CommandTree).commands, topics: oclif?.topics ?? {} }
}
