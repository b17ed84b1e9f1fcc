import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'

/** What each folder may import, besides itself. ARCHITECTURE.md draws the same picture. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'src/kit': [],
  'src/contract': [],
  'src/secs2': ['src/kit'],
  'src/hsms': ['src/kit'],
  'src/secs1': ['src/kit', 'src/hsms'],
  'src/store': ['src/kit'],
  'src/catalogue': ['src/kit', 'src/secs2'],
  'src/gem': ['src/kit', 'src/secs2', 'src/catalogue'],
  'src/gem300': ['src/kit', 'src/secs2', 'src/catalogue'],
  'src/probe': ['src/kit', 'src/secs2', 'src/catalogue', 'src/hsms', 'src/secs1', 'src/gem'],
  'src/simulator': [
    'src/kit',
    'src/secs2',
    'src/catalogue',
    'src/hsms',
    'src/secs1',
    'src/gem',
    'src/gem300',
  ],
  'src/gateway': [
    'src/kit',
    'src/contract',
    'src/secs2',
    'src/catalogue',
    'src/secs1',
    'src/hsms',
    'src/tap',
    'src/gem',
    'src/gem300',
    'src/store',
  ],
  'src/api': ['src/kit', 'src/contract', 'src/gateway'],
  'src/client': ['src/kit', 'src/contract'],
  'src/tap': ['src/kit', 'src/hsms'],
  'src/ladder': ['src/kit', 'src/contract'],
  'src/scenario': ['src/kit', 'src/contract', 'src/secs2', 'src/catalogue', 'src/client', 'src/ladder'],
  'src/explanation': ['src/kit', 'src/contract', 'src/secs2', 'src/hsms', 'src/catalogue'],
  'src/inspection': ['src/kit', 'src/contract', 'src/gem', 'src/simulator', 'src/client'],
  'src/web': ['src/kit', 'src/contract', 'src/client', 'src/ladder', 'src/explanation', 'src/inspection'],
  'src/daemon': ['src/kit', 'src/contract', 'src/store', 'src/tap', 'src/gateway', 'src/api'],
  'src/cli': [
    'src/kit',
    'src/contract',
    'src/secs2',
    'src/hsms',
    'src/catalogue',
    'src/gem',
    'src/gem300',
    'src/probe',
    'src/simulator',
    'src/client',
    'src/ladder',
    'src/scenario',
    'src/daemon',
    'src/explanation',
    'src/inspection',
  ],
  // A command's code is in the folder of its topic.
  commands: ['src/cli'],
}

/** Of a layer that a folder may import, the files that it may: the command line reads frames, and runs no link. */
const ONLY_THESE: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  'src/explanation': { 'src/hsms': /^src\/hsms\/(frame\/header|words)\.js$/ },
  // A browser has no modules of Node.
  'src/web': {
    'src/kit': /^src\/kit\/(clock|shared-run|text\/csv)\.js$/,
    'src/client': /^src\/client\/(event-source|gateway-watch|site\/[^/]+)\.js$/,
    'src/explanation': /^src\/explanation\/(explanation|(state|fault|tap|timer)-words)\.js$/,
    'src/inspection': /^src\/inspection\/tap-check\.js$/,
  },
  'src/inspection': {
    'src/gem': /^src\/gem\/time\.js$/,
    'src/simulator': /^src\/simulator\/file\/schema\.js$/,
  },
  'src/cli': {
    'src/hsms': /^src\/hsms\/(frame\/frame|frame\/header|words)\.js$/,
    'src/gem': /^src\/gem\/time\.js$/,
    'src/gem300':
      /^src\/gem300\/(slot-(ranges|map)|(process|control)-job|object-states|code-words|identifier)\.js$/,
  },
}

/** Only these files touch the outside world this way; everything else is handed what it needs. */
const ONLY_IN: Readonly<Record<string, RegExp>> = {
  'node:net':
    /^src\/(hsms\/tcp\/[^/]+|tap\/(tcp|process)\/[^/]+|simulator\/control\/control-(port|client)|kit\/ip-networks|probe\/hsms-checks\/raw-link|gateway\/sinks\/kinds\/.+)\.ts$/,
  undici: /^src\/(client|api\/forwarding|gateway\/sinks\/kinds|gateway\/sign-on)\//,
  fastify: /^src\/api\//,
  '@oclif/core': /^(src\/cli|commands)\//,
  lowdb: /^src\/store\//,
  jose: /^src\/gateway\/(accounts\/tokens|sign-on\/oidc-provider)\.ts$/,
  'openid-client': /^src\/gateway\/sign-on\/oidc-provider\.ts$/,
  conf: /^src\/cli\//,
  inquirer: /^src\/cli\//,
  keytar: /^src\/cli\//,
  '@napi-rs/keyring': /^src\/cli\//,
  '@serialport/bindings-cpp': /^src\/secs1\/serial\//,
  preact: /^src\/web\//,
  '@preact/signals': /^src\/web\//,
  uplot: /^src\/web\//,
  mqtt: /^src\/gateway\/sinks\/kinds\/mqtt\//,
  protobufjs: /^src\/gateway\/sinks\/kinds\/mqtt\//,
  'iconv-lite': /^src\/kit\/text\/iconv\.ts$/,
}

const SAYS_NOTHING = /\b(utils?|helpers?|common|managers?|types|misc)\b/

const files = ['src', 'commands'].flatMap((root) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => join(root, file)),
)
const text = (file: string): string => readFileSync(file, 'utf8')
const code = (file: string): string => text(file).replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*/g, '')
const layerOf = (path: string): string | undefined =>
  Object.keys(MAY_IMPORT).find((layer) => path.startsWith(`${layer}/`))
const importsOf = (file: string): string[] =>
  [...text(file).matchAll(/(?:from |import\()'([^']+)'/g)].map(([, name]) => name as string)
const packageOf = (name: string): string =>
  name.startsWith('@') || name.startsWith('node:')
    ? name.split('/').slice(0, 2).join('/')
    : (name.split('/')[0] as string)

function isAllowed(file: string, name: string): boolean {
  const layer = layerOf(file)
  if (!layer) return false
  if (!name.startsWith('.')) return (ONLY_IN[packageOf(name)] ?? /./).test(file)
  const imported = relative('.', join(dirname(file), name))
  const below = layerOf(imported)
  if (below !== layer && !(MAY_IMPORT[layer] ?? []).includes(below ?? '')) return false
  return (ONLY_THESE[layer]?.[below ?? ''] ?? /./).test(imported)
}

const forbiddenImports = (file: string): string[] =>
  importsOf(file)
    .filter((name) => !isAllowed(file, name))
    .map((name) => `${file} imports ${name}`)

describe('the layers', () => {
  test('every file imports only from below', () => {
    expect(files.flatMap(forbiddenImports)).toEqual([])
  })

  test('a file that imports what it may not would be found', () => {
    expect(importsOf('src/gateway/link/session.ts')).toContain('../../hsms/link-driver.js')
    expect(isAllowed('src/gateway/link/session.ts', '../../hsms/link-driver.js')).toBe(true)
    expect(isAllowed('src/gem/state.ts', '../gateway/gateway.js')).toBe(false)
    expect(isAllowed('src/cli/run.ts', '../hsms/link-driver.js')).toBe(false)
    expect(isAllowed('src/gem/state.ts', 'undici')).toBe(false)
  })
})

/** The circles of imports, types included: each as the files that import one another. */
function circles(importsIn: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = []
  const index = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const visit = (file: string): void => {
    index.set(file, index.size)
    lowest.set(file, index.get(file) as number)
    stack.push(file)
    for (const next of importsIn.get(file) ?? []) {
      if (!index.has(next)) visit(next)
      if (stack.includes(next)) {
        lowest.set(file, Math.min(lowest.get(file) as number, lowest.get(next) as number))
      }
    }
    if (lowest.get(file) !== index.get(file)) return
    const circle = stack.splice(stack.indexOf(file))
    if (circle.length > 1 || importsIn.get(file)?.includes(file)) found.push(circle.sort())
  }
  for (const file of importsIn.keys()) if (!index.has(file)) visit(file)
  return found
}

const importedBy = (file: string): string[] =>
  importsOf(file)
    .filter((name) => name.startsWith('.'))
    .map((name) => join(dirname(file), name).replace(/\.js$/, ''))
    .map((module) => files.find((known) => known === `${module}.ts` || known === `${module}.tsx`) ?? module)

test('no file imports another one in a circle, types included', () => {
  expect(circles(new Map(files.map((file) => [file, importedBy(file)])))).toEqual([])
})

test('a circle would be found', () => {
  const imports = new Map([
    ['a', ['b']],
    ['b', ['c', 'd']],
    ['c', ['a']],
    ['d', []],
  ])
  expect(circles(imports)).toEqual([['a', 'b', 'c']])
})

test('a command receives its environment, which one file makes', () => {
  const reading = /\bprocess\.(env|argv|exit|exitCode|stdin|stdout|stderr)\b/
  const makes = 'src/cli/process-environment.ts'
  const commandLine = files.filter((file) => /^(commands|src\/cli)\//.test(file) && file !== makes)
  expect(commandLine.filter((file) => reading.test(code(file)))).toEqual([])
  expect(reading.test(code(makes))).toBe(true)
})

test('nothing but the clock knows the time', () => {
  const knowing = /(?<!socket\.)\b(setTimeout|setInterval|Date\.now|new Date\(\)|performance\.now)\b/
  expect(files.filter((file) => file !== 'src/kit/clock.ts' && knowing.test(code(file)))).toEqual([])
  expect(knowing.test(code('src/kit/clock.ts'))).toBe(true)
})

test('every file is named after what is in it', () => {
  // A command is named after its verb: `objects types` lists the types of SEMI E39.
  const isVerb = (file: string): boolean => file === 'commands/objects/types.ts'
  expect(files.filter((file) => (SAYS_NOTHING.test(file) && !isVerb(file)) || /[A-Z_]/.test(file))).toEqual(
    [],
  )
})
