// The npm packages whose code is in the bundle: their licence texts, and a CycloneDX list of them.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The folders of the packages that the outputs have bytes of, by esbuild's own report. What is imported only for its
 * types, or shaken off, is not among them.
 */
export function packagesIn(metafiles) {
  const inputs = metafiles
    .flatMap(({ outputs }) => Object.values(outputs))
    .flatMap((output) => Object.entries(output.inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([file]) => /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? [])
  return [...new Set(inputs.map((name) => name.slice(name.indexOf('node_modules/'))))].sort()
}

const described = (root, folder) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))

const RULE = `\n${'-'.repeat(80)}\n\n`

/** The licence texts of packages by their folders. */
export function licences(root, folders) {
  const packages = folders.map((folder) => {
    const { name, version, license } = described(root, folder)
    const file = readdirSync(join(root, folder)).find((entry) => /^(licen[cs]e|copying)/i.test(entry))
    const text =
      file === undefined
        ? `Licensed under ${license}.`
        : readFileSync(join(root, folder, file), 'utf8').trim()
    return `${name} ${version} (${license})\n\n${text}\n`
  })
  return packages.sort().join(RULE)
}

const purl = (name, version) => `pkg:npm/${name.replace(/^@/, '%40')}@${version}`

/** The same hash as in the lock file, as CycloneDX writes it. */
function hashes(integrity) {
  const [, base64] = /^sha512-(.+)$/.exec(integrity ?? '') ?? []
  return base64 && { hashes: [{ alg: 'SHA-512', content: Buffer.from(base64, 'base64').toString('hex') }] }
}

/**
 * A CycloneDX document of packages by their folders; `others` are components that are not from npm. Without a time and
 * a number of its own, so that the same contents give the same document.
 */
export function cycloneDx(root, folders, others = []) {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
  const own = described(root, '.')
  const components = folders.map((folder) => {
    const { name, version, license } = described(root, folder)
    return {
      type: 'library',
      'bom-ref': purl(name, version),
      name,
      version,
      purl: purl(name, version),
      licenses: [{ expression: license }],
      ...hashes(lock[folder]?.integrity),
    }
  })
  const unique = new Map([...components, ...others].map((component) => [component['bom-ref'], component]))
  const ref = purl(own.name, own.version)
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': ref,
        name: own.name,
        version: own.version,
        description: own.description,
        purl: ref,
        licenses: [{ expression: own.license }],
      },
    },
    components: [...unique.values()],
    dependencies: [{ ref, dependsOn: [...unique.keys()] }],
  }
}
