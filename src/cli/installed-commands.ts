import { join } from 'node:path'
import type { Command, Interfaces } from '@oclif/core'
import { readInstalled } from './installation.js'

type Commands = Interfaces.Manifest['commands']

/** The command that the arguments begin with; undefined where there is none, or where help is asked for. */
function commandIn(args: readonly string[], commands: Commands, { oclif }: Interfaces.PJSON) {
  if (['--help', ...(oclif.additionalHelpFlags ?? [])].some((flag) => args.includes(flag))) return undefined
  const byName = new Map(
    Object.values(commands).flatMap((command) =>
      [command.id, ...(command.aliases ?? []), ...(command.hiddenAliases ?? [])].map((name) => [
        name,
        command,
      ]),
    ),
  )
  const names = args.map((_, at) => args.slice(0, at + 1).join(':'))
  return byName.get(names.findLast((name) => byName.has(name)) ?? '')
}

/**
 * The commands of the installation at `root`, as oclif takes them: the one that these arguments run, or all. Its own reader
 * of a plugin searches folders for commands, and sorts by the rules of a language, which takes longer than to run a command.
 */
export async function installedCommands(root: string, args: readonly string[]): Promise<Interfaces.Plugin> {
  const [brief, pjson] = (await Promise.all([
    readInstalled(root, 'dist/commands.json'),
    readInstalled(root, 'package.json'),
  ])) as [Commands, Interfaces.PJSON]
  const one = commandIn(args, brief, pjson)
  const { commands } = one
    ? { commands: { [one.id]: one } }
    : ((await readInstalled(root, 'oclif.manifest.json')) as Interfaces.Manifest)
  const { name, version, oclif } = pjson
  const plugin: Interfaces.Plugin = {
    _base: '',
    alias: name,
    commandIDs: Object.keys(commands),
    commands: Object.entries(commands).map(([id, command]) => ({
      ...command,
      pluginType: 'core',
      load: () => findCommand(id),
    })),
    commandsDir: undefined,
    findCommand,
    hasManifest: true,
    hooks: {},
    isRoot: true,
    load: async () => undefined,
    moduleType: 'module',
    name,
    options: { root },
    pjson,
    root,
    topics: Object.entries(oclif.topics ?? {}).map(([topic, about]) => ({ ...about, name: topic })),
    type: 'core',
    valid: true,
    version,
  }
  async function findCommand(id: string): Promise<Command.Class> {
    const file = join(root, 'dist', 'commands', ...id.split(':'))
    const { default: found } = (await import(`${file}.js`)) as { readonly default: Command.Class }
    return Object.assign(found, { id, plugin })
  }
  return plugin
}
