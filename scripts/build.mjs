// Writes the bundle of the command line into dist/, and oclif's manifest next to package.json.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Plugin } from '@oclif/core'
import { bundle } from './bundle.mjs'
import { bundleClient } from './client.mjs'
import { commitOf } from './commit.mjs'
import { cycloneDx, licences, packagesIn } from './sbom.mjs'
import { bundleWeb } from './web.mjs'

// The modes of files are in the package: they are the same for every builder.
process.umask(0o022)

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const dist = join(root, 'dist')

// The old bundle stays until the new one is complete: it may be running.
const fresh = join(root, `dist-${process.pid}`)
const [commandLine, web, client] = await Promise.all([bundle(root), bundleWeb(root), bundleClient(root)])
const files = [...commandLine.files, ...web.files, ...client.files]
  .map(({ path, text, contents = text }) => ({ name: relative(dist, path), contents }))
  .sort((one, other) => (one.name < other.name ? -1 : 1))
// Tells builds of one version apart, also those of one commit with changes, and without git.
const content = createHash('sha256')
for (const { name, contents } of files) {
  const file = join(fresh, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, contents)
  content.update(`${name}\0${contents.length}\0`).update(contents)
}
const build = content.digest('hex').slice(0, 8)
writeFileSync(
  join(fresh, 'package.json'),
  `${JSON.stringify({ type: 'commonjs', commit: commitOf(root), build })}\n`,
)
const packages = packagesIn([commandLine.metafile, web.metafile, client.metafile])
writeFileSync(join(fresh, 'THIRD-PARTY-LICENSES.txt'), licences(root, packages))
writeFileSync(join(fresh, 'sbom.cdx.json'), `${JSON.stringify(cycloneDx(root, packages), undefined, 2)}\n`)

const old = `${fresh}-old`
if (existsSync(dist)) renameSync(dist, old)
renameSync(fresh, dist)
rmSync(old, { recursive: true, force: true })

const plugin = new Plugin({
  root,
  type: 'core',
  ignoreManifest: true,
  errorOnManifestCreate: true,
  respectNoCacheDefault: true,
})
await plugin.load()
// A noun in the singular, and a short form of one, have the commands of their topic.
const SHORT = { equipment: 'eq', variables: 'sv', constants: 'ec', reports: 'ce', recipes: 'pp' }
// Names that commands had before: they stay, and no help lists them.
const OLD_NAMES = {
  'keys:add': 'keys:create',
  'keys:remove': 'keys:revoke',
  'limits:remove': 'limits:clear',
  'reports:remove': 'reports:clear',
  'variables:show': 'variables:read',
  'constants:show': 'constants:read',
  'catalogue:describe': 'messages:describe',
  'catalogue:check': 'messages:check',
  'daemon:bench-disk': 'daemon:doctor',
  'reports:list': 'collection-events:list',
  'reports:enable': 'collection-events:enable',
  'reports:disable': 'collection-events:disable',
  'reports:preview': 'collection-events:report',
  'alarms:defined': 'equipment:alarms',
}
const singular = (topic) => (plugin.pjson.oclif.topics[topic.slice(0, -1)] ? [topic.slice(0, -1)] : [])
for (const [id, command] of Object.entries(plugin.manifest.commands)) {
  const [topic, name] = id.split(':')
  if (SHORT[topic]) command.aliases = [`${SHORT[topic]}:${name}`]
  const hidden = singular(topic).map((each) => `${each}:${name}`)
  const [oldTopic, oldName] = OLD_NAMES[id]?.split(':') ?? []
  if (oldName) {
    const topics = [oldTopic, ...singular(oldTopic), ...(SHORT[oldTopic] ? [SHORT[oldTopic]] : [])]
    hidden.push(...topics.map((each) => `${each}:${oldName}`))
    if (SHORT[topic] && oldName !== name) hidden.push(`${SHORT[topic]}:${oldName}`)
  }
  if (hidden.length > 0) command.hiddenAliases = [...new Set(hidden)]
}
// They were found in the order of the folders on this disk.
const commands = Object.fromEntries(
  Object.entries(plugin.manifest.commands).sort(([one], [other]) => (one < other ? -1 : 1)),
)
// What finds the command of a call. To read all of the manifest instead, and have oclif go through it, takes a tenth of a start.
const brief = Object.entries(commands).map(([id, { aliases, hiddenAliases, hidden, strict, args = {} }]) => {
  const named = Object.fromEntries(Object.keys(args).map((name) => [name, {}]))
  return [id, { id, aliases, hiddenAliases, hidden, strict, args: named }]
})
writeFileSync(join(dist, 'commands.json'), `${JSON.stringify(Object.fromEntries(brief))}\n`)
writeFileSync(join(root, 'oclif.manifest.json'), `${JSON.stringify({ ...plugin.manifest, commands })}\n`)
