import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Home } from './support/daemon-process.js'
import { freePort } from './support/free-port.js'
import { consoleSteps, linesShown, onTerminal, Shell, wordsOf } from './support/page-shell.js'

const steps = consoleSteps(readFileSync('README.md', 'utf8'))

const home = new Home()
let shell: Shell
let port: number

beforeAll(async () => {
  port = await freePort()
  shell = new Shell(home)
  const secsctl = `${process.execPath} ${process.cwd()}/bin/run.js`
  await shell.run(
    `unset SECSCTL_ADMIN_EMAIL SECSCTL_ADMIN_PASSWORD; cd ${home.folder}; secsctl() { ${secsctl} "$@"; }; export -f secsctl; export SHELL=/bin/bash TERM=xterm NO_COLOR=1`,
  )
})

afterAll(async () => {
  await shell.run('secsctl daemon stop')
  shell.end()
  home.dispose()
})

/** The words of each line, but for what differs from run to run: also what equipment has said of its control state. */
const words = (lines: readonly string[]): string[] =>
  lines
    .map((line) =>
      line.replace(/\b(UNKNOWN|ONLINE_REMOTE)(?= +ok)/, '').replace(/\/\S+(?=\/tokens\.json)/, ''),
    )
    .map((line) => wordsOf(line).join(' '))

/** The README's fixed ports and identifiers, as they are in this run. */
const here = (text: string): string =>
  text
    .replaceAll('5000', String(port))
    .replace('daemon start', 'daemon start --port 0')
    .replace('alarms ack 27', 'alarms ack $(secsctl alarms list | cut -f1)')

test('the README has a tour', () => {
  expect(steps.length).toBeGreaterThan(12)
})

test.each(steps)('$command prints on a terminal what the README shows', async ({ command, shown }) => {
  if (command.endsWith('&')) {
    await shell.run(here(command))
    await shell.run(`until grep -q listening etcher.log; do sleep 0.05; done`)
    return
  }
  const { output, exit } = await shell.run(onTerminal(here(command)))
  expect(exit, output).toBe(0)
  expect(words(linesShown(output))).toEqual(words(shown.map(here)))
})

test('the catalogue of a site that the docs show is one', async () => {
  const page = readFileSync('docs/site-messages.md', 'utf8')
  const [, shown] = /^```json\n([\s\S]*?)^```$/m.exec(page) ?? []
  const { output, exit } = await shell.run(`secsctl messages check - <<'END'\n${shown}END`)
  expect(output).toContain('2 messages and 3 items')
  expect(exit).toBe(0)
})
