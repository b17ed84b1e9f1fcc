import { join } from 'node:path'
import type { Command, Interfaces } from '@oclif/core'
import { readInstalled } from './installation.js'

/**
 * The commands of the installation at `root`, as oclif takes them. Its own reader of a plugin searches folders for
 * commands, and sorts by the rules of a language, which takes longer than to run a command.
 */
export async function installedCommands(root: string): Promise<Interfaces.Plugin> {
  const [manifest, pjson] = (await Promise.all([
    readInstalled(root, 'oclif.manifest.json'),
    readInstalled(root, 'package.json'),
  ])) as [Interfaces.Manifest, Interfaces.PJSON]
  const { name, version, oclif } = pjson
  const plugin: Interfaces.Plugin = {
    _base: '',
    alias: name,
    commandIDs: Object.keys(manifest.commands),
    commands: Object.entries(manifest.commands).map(([id, command]) => ({
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
