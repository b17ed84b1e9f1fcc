// Builds what is published of the built sources into packages/, or the folder that is given; with --executable only
// the executable, for this machine unless a platform is named. The same sources give the same bytes.
//   node scripts/package.mjs [--executable] [--platform=linux-arm64] [FOLDER]
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { commitTime } from './commit.mjs'
import { buildExecutable } from './executable/build.mjs'
import { nativeParts } from './executable/native.mjs'
import { HERE, NODE_VERSION, nodeFolder, PLATFORMS } from './executable/platforms.mjs'
import { buildDeb } from './linux/deb.mjs'
import { linuxFiles } from './linux/files.mjs'
import { maintainerOf } from './linux/maintainer.mjs'
import { buildRpm } from './linux/rpm.mjs'
import { cycloneDx, licences, packagesIn } from './sbom.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const args = process.argv.slice(2)
const [given] = args.filter((argument) => !argument.startsWith('--'))
const only = args.find((argument) => argument.startsWith('--platform='))?.slice('--platform='.length)
const folder = resolve(given ?? join(root, 'packages'))
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const RULE = `\n${'-'.repeat(80)}\n\n`

/** Node as a part of the executable. */
const NODE = {
  type: 'platform',
  'bom-ref': `pkg:generic/node@${NODE_VERSION}`,
  name: 'node',
  version: NODE_VERSION,
  purl: `pkg:generic/node@${NODE_VERSION}`,
  licenses: [{ license: { name: 'MIT, and the licences of the libraries in Node.js' } }],
}

/** The folders of the packages that a build of the bundle lists in its own SBOM. */
function bundled() {
  const { components } = JSON.parse(readFileSync(join(root, 'dist', 'sbom.cdx.json'), 'utf8'))
  return components
}

/** The SBOM and the licence texts of the executable: the bundle, its native parts, and Node. */
function writeContents(native) {
  const packages = [...new Set([...packagesIn(native.metafiles), ...native.packages])]
  const sbom = cycloneDx(root, packages, [...bundled(), NODE])
  writeFileSync(join(folder, `secsctl-${version}.cdx.json`), `${JSON.stringify(sbom, undefined, 2)}\n`)
  const texts = [
    readFileSync(join(root, 'dist', 'THIRD-PARTY-LICENSES.txt'), 'utf8'),
    licences(root, packages),
    `node ${NODE_VERSION}\n\n${readFileSync(join(nodeFolder(root), 'LICENSE'), 'utf8')}`,
  ]
  writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), texts.join(RULE))
}

function writeSums() {
  const files = readdirSync(folder).filter((name) => name !== 'SHA256SUMS')
  const lines = files.sort().map((name) => {
    const sum = createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex')
    return `${sum}  ${name}\n`
  })
  writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''))
}

if (process.platform !== 'linux' || process.arch !== 'x64')
  throw new Error('packages are built on Linux x64, whose native parts they hold')

mkdirSync(folder, { recursive: true })
for (const name of readdirSync(folder))
  if (/^(secsctl[-_].*|THIRD-PARTY-LICENSES\.txt|SHA256SUMS)$/.test(name)) rmSync(join(folder, name))

/** Writes the executable for a platform; its native parts. */
async function executable(platform) {
  const native = await nativeParts(root, platform)
  const output = join(folder, `secsctl-${version}-${platform}${PLATFORMS[platform].ending}`)
  await buildExecutable({ root, output, native: native.files, platform })
  return native
}

const native = await executable(only ?? HERE)
if (!args.includes('--executable')) {
  for (const platform of Object.keys(PLATFORMS)) if (platform !== HERE) await executable(platform)
  execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  writeContents(native)
  const linux = {
    folder,
    version,
    files: linuxFiles({ root, folder, version }),
    time: commitTime(root),
    publisher: maintainerOf(root),
  }
  buildDeb(linux)
  buildRpm(linux)
  writeSums()
}
