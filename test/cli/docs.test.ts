import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

interface Manifest {
  readonly commands: Readonly<
    Record<
      string,
      { readonly flags: Readonly<Record<string, { readonly char?: string; readonly allowNo?: boolean }>> }
    >
  >
}

const { commands } = JSON.parse(readFileSync('oclif.manifest.json', 'utf8')) as Manifest
const DOCS = readdirSync('docs').filter((file) => file.endsWith('.md'))
const PAGES = ['README.md', ...DOCS.map((file) => join('docs', file))]

/** Every `secsctl …` in a block of shell commands or in backquotes. */
function callsIn(page: string): string[] {
  const text = readFileSync(page, 'utf8')
  const blocks = [...text.matchAll(/^```(?:sh|console)\n([\s\S]*?)^```$/gm)].map(
    ([, block]) => block as string,
  )
  const quoted = [...text.matchAll(/`secsctl ([^`\n]+)`/g)].map(([, call]) => call as string)
  const typed = blocks.flatMap((block) =>
    // Not the user of `sudo -u secsctl`, nor a path such as SECSCTL_HOME=/var/lib/secsctl.
    [...block.matchAll(/(?<!-u |=[\w/.-]*)secsctl ([^\n#;|&)"]+)/g)].map(([, call]) => call as string),
  )
  return [...quoted, ...typed].map((call) => call.trim()).filter((call) => /^(?!help )[a-z]/.test(call))
}

/** The command that the first words of a call name. */
function commandOf(call: string): string | undefined {
  const words = call.split(/\s+/)
  return [2, 1]
    .map((count) => words.slice(0, count).join(':'))
    .find((id) => id in commands || Object.keys(commands).some((other) => other.startsWith(`${id}:`)))
}

function requireKnown(call: string): void {
  const id = commandOf(call)
  expect(id, call).toBeDefined()
  const known = Object.entries(commands[id ?? '']?.flags ?? {}).flatMap(([name, { allowNo }]) =>
    allowNo ? [name, `no-${name}`] : [name],
  )
  const flags = [...call.matchAll(/(?<=\s)--([a-z][\w-]*)/g)].map(([, name]) => name as string)
  expect(flags.filter((name) => !known.includes(name))).toEqual([])
}

test.each(PAGES.flatMap((page) => callsIn(page).map((call) => [page, call] as const)))(
  '%s: secsctl %s is a command with these flags',
  (_, call) => requireKnown(call),
)

/** What the alert rules say to type; a placeholder of Prometheus stands for the name of something. */
const ALERTS = 'docs/monitoring/alerts.yaml'
const runbooks = [...readFileSync(ALERTS, 'utf8').matchAll(/^ *runbook: (.*)$/gm)].flatMap(([, text = '']) =>
  [...text.matchAll(/secsctl ([a-z][^;|'()]*)/g)].map(([, call = '']) =>
    call.replace(/\{\{ \$labels\.\w+ \}\}/g, 'NAME').trim(),
  ),
)

test.each([...new Set(runbooks)])(`${ALERTS}: secsctl %s is a command with these flags`, requireKnown)

test('the pages have commands', () => {
  expect(runbooks.length).toBeGreaterThan(20)
  expect(PAGES.flatMap(callsIn).length).toBeGreaterThan(50)
})

test.each(PAGES)('every file that %s links to is there', (page) => {
  const links = [...readFileSync(page, 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(
    ([, link]) => link as string,
  )
  expect(links.filter((link) => !existsSync(join(dirname(page), link)))).toEqual([])
})

test.each([...PAGES, 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md'])(
  '%s has no mark of a merge',
  (page) => {
    expect(readFileSync(page, 'utf8')).not.toMatch(/^([<>]{7} |={7}$)/m)
  },
)
