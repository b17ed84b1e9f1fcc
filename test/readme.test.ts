import { existsSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { STANDARD_ROWS } from '../src/catalogue/rows/standard-rows.js'
import { Home } from './support/daemon-process.js'
import { freePort } from './support/free-port.js'
import { consoleSteps, linesShown, onTerminal, Shell, untilListening, wordsOf } from './support/page-shell.js'

/** A shell in a home of its own, in which `secsctl` is the built one. */
async function openShell(home: Home): Promise<Shell> {
  const shell = new Shell(home)
  const secsctl = `${process.execPath} ${process.cwd()}/bin/run.js`
  await shell.run(
    `unset SECSCTL_ADMIN_EMAIL SECSCTL_ADMIN_PASSWORD; cd ${home.folder}; secsctl() { ${secsctl} "$@"; }; export -f secsctl; export SHELL=/bin/bash TERM=xterm NO_COLOR=1`,
  )
  return shell
}

/** The words of each line, but for what differs from run to run: also what equipment has said of its control state. */
const words = (lines: readonly string[]): string[] =>
  lines
    .map((line) =>
      line.replace(/\b(UNKNOWN|ONLINE_REMOTE)(?= +ok)/, '').replace(/\/\S+(?=\/tokens\.json)/, ''),
    )
    .map((line) => wordsOf(line).join(' '))

describe.each(['README.md', 'docs/first-steps.md'])('%s', (page) => {
  const steps = consoleSteps(readFileSync(page, 'utf8'))
  const home = new Home()
  let shell: Shell
  let port: number

  /** The page's fixed ports and identifiers, as they are in this run. */
  const here = (text: string): string =>
    text
      .replaceAll('5000', String(port))
      .replace('daemon start', 'daemon start --port 0')
      .replace('alarms ack 27', 'alarms ack $(secsctl alarms list | cut -f1)')

  beforeAll(async () => {
    port = await freePort()
    shell = await openShell(home)
  })

  afterAll(async () => {
    await shell.run('secsctl daemon stop')
    shell.end()
    home.dispose()
  })

  test('has a tour', () => {
    expect(steps.length).toBeGreaterThan(6)
  })

  test.each(steps)('$command prints on a terminal what the page shows', async ({ command, shown }) => {
    if (command.endsWith('&')) {
      await shell.run(here(command))
      const { output, exit } = await shell.run(untilListening('etcher.log'))
      expect(exit, output).toBe(0)
      return
    }
    const { output, exit } = await shell.run(onTerminal(here(command)))
    expect(exit, output).toBe(0)
    expect(words(linesShown(output))).toEqual(words(shown.map(here)))
  })
})

test('the tests that the README names for its guarantees are there', () => {
  const named = [...readFileSync('README.md', 'utf8').matchAll(/`(test\/[^`]+)`/g)].map(
    ([, path = '']) => path,
  )
  expect(named.length).toBeGreaterThan(8)
  expect(named.filter((path) => !existsSync(path))).toEqual([])
})

test('the catalogue of a site that the docs show is one', async () => {
  const page = readFileSync('docs/site-messages.md', 'utf8')
  const [, shown] = /^```json\n([\s\S]*?)^```$/m.exec(page) ?? []
  const home = new Home()
  const shell = await openShell(home)
  const { output, exit } = await shell.run(`secsctl catalogue check - <<'END'\n${shown}END`)
  shell.end()
  home.dispose()
  expect(output).toContain('2 messages and 3 items')
  expect(exit).toBe(0)
})

test('the README says how many messages are known', () => {
  const known = new Set(STANDARD_ROWS.map((row) => `S${row.stream}F${row.function}`))
  expect(readFileSync('README.md', 'utf8')).toContain(`${known.size} messages by name`)
})
