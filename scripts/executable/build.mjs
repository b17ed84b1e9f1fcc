// The command line as one executable: Node with the files of dist/, what V8 compiled of them, and the native parts as
// assets. The same sources give the same bytes.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { build } from 'esbuild'
import { HERE, nodeBinary } from './platforms.mjs'

/** Of every process of the executable: see `daemonProgram` of src/cli/installation.ts. */
const OPTIONS = ['--max-semi-space-size=8']

/** By this text in its binary, Node knows whether it has an application. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

/** The files below a folder, as relative paths. */
const filesBelow = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, path, name }) => relative(folder, join(parentPath ?? path, name)))
    .sort()

/** What `bin/run.js` and oclif read of package.json. */
function description(root) {
  const { name, version, description, oclif } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return JSON.stringify({ name, version, description, oclif })
}

/** Assets by their names. `native`: files of the native packages. */
function* assets(root, native) {
  yield ['package.json', description(root)]
  yield ['oclif.manifest.json', readFileSync(join(root, 'oclif.manifest.json'))]
  for (const name of ['dist/package.json', 'dist/commands.json']) yield [name, readFileSync(join(root, name))]
  for (const file of filesBelow(join(root, 'dist')))
    if (/^web\/|\.js$/.test(file)) yield [`dist/${file}`, readFileSync(join(root, 'dist', file))]
  yield* native
}

const bundleMain = (root, outfile) =>
  build({
    entryPoints: [join(root, 'scripts', 'executable', 'main.cjs')],
    outfile,
    bundle: true,
    minifyWhitespace: true,
    platform: 'node',
    format: 'cjs',
    target: 'node24',
    legalComments: 'none',
    logLevel: 'warning',
  })

/**
 * Options under which V8 writes the same bytes each time, and which it does not compare: a seed for its hashes, and
 * so much memory that nothing is collected, since unused bytes of objects keep what was there before.
 */
const SAME_BYTES = ['--random-seed=1', '--min-semi-space-size=512', '--max-semi-space-size=512']

/** So few that nothing is collected. */
const FILES_AT_ONCE = 100

/** Commands that call what most commands call: some without a gateway, lists, one that fails, and help. */
const USUAL_COMMANDS = [
  'profiles list',
  'sml format',
  'equipment list',
  'alarms list',
  'equipment show none',
  '--help',
]

/** Leaves beside each file of the bundle what V8 compiled of it. */
function compile(root, stage, node) {
  const run = (script, args, options) =>
    execFileSync(node, [...SAME_BYTES, join(root, 'scripts', 'executable', script), stage, ...args], options)
  const names = filesBelow(stage).filter((name) => /^dist\/(?!web\/).*\.js$/.test(name))
  while (names.length > 0) run('compile.cjs', names.splice(0, FILES_AT_ONCE))
  for (const command of USUAL_COMMANDS) {
    const home = mkdtempSync(join(tmpdir(), 'secsctl-home-'))
    const env = { PATH: process.env.PATH, HOME: home, SECSCTL_HOME: home, TZ: 'UTC', LANG: 'C.UTF-8' }
    try {
      run('train.cjs', command.split(' '), { env, input: 'S1F3 W <L <U4 1001>>.', stdio: 'pipe' })
    } catch (error) {
      // There is no equipment to show.
      if (error.status !== 3) throw error
    } finally {
      rmSync(home, { recursive: true, force: true })
    }
  }
}

async function writeExecutable({ root, output, native, platform }, stage) {
  const node = nodeBinary(root)
  for (const [name, content] of assets(root, native)) {
    const file = join(stage, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
  // What V8 compiles is for one kind of processor; elsewhere it compiles at each start.
  if (platform === HERE) compile(root, stage, node)
  const names = filesBelow(stage)
  await bundleMain(root, join(stage, 'main.js'))
  const config = {
    // Relative: the path becomes part of the executable.
    main: 'main.js',
    output: 'blob',
    disableExperimentalSEAWarning: true,
    execArgv: OPTIONS,
    assets: Object.fromEntries(names.map((name) => [name, name])),
  }
  writeFileSync(join(stage, 'sea.json'), JSON.stringify(config))
  execFileSync(node, ['--experimental-sea-config', 'sea.json'], { cwd: stage, stdio: 'pipe' })
  mkdirSync(dirname(output), { recursive: true })
  copyFileSync(nodeBinary(root, platform), output)
  const postject = join(root, 'node_modules', 'postject', 'dist', 'cli.js')
  const blob = join(stage, 'blob')
  execFileSync(process.execPath, [postject, output, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', FUSE], {
    stdio: 'pipe',
  })
  chmodSync(output, 0o755)
}

/** Writes the executable for a platform to the file `output`. */
export async function buildExecutable(options) {
  const stage = mkdtempSync(join(tmpdir(), 'secsctl-executable-'))
  try {
    await writeExecutable(options, stage)
  } finally {
    rmSync(stage, { recursive: true, force: true })
  }
}
