import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Home } from '../../support/daemon-process.js'
import { freePort } from '../../support/free-port.js'
import {
  consoleSteps,
  linesShown,
  onTerminal,
  Shell,
  untilListening,
  wordsOf,
} from '../../support/page-shell.js'

const steps = consoleSteps(readFileSync('docs/gem300.md', 'utf8'))
const home = new Home()
let shell: Shell
let ports: readonly [tool: number, control: number]

/** The page's fixed ports, as they are in this run. */
const here = (text: string): string =>
  text
    .replaceAll('5000', String(ports[0]))
    .replaceAll('5999', String(ports[1]))
    .replace('daemon start', 'daemon start --port 0')

const words = (lines: readonly string[]): string[] =>
  lines.map((line) =>
    wordsOf(
      line
        .replace(/\/\S+(?=\/tokens\.json)/, '')
        .replace(/message \d+/, 'message')
        .replace(/\b(UNKNOWN|ONLINE_REMOTE)(?= +ok)/, ''),
    ).join(' '),
  )

/** Of a run what it sends, and its end: the states that it sees are those at which it happens to look. */
const steady = (lines: readonly string[]): string[] =>
  words(lines).filter((line) => /message\)$|^(check|end) /.test(line))

beforeAll(async () => {
  ports = [await freePort(), await freePort()]
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

test.each(steps)('$command prints what docs/gem300.md shows', async ({ command, shown }) => {
  if (command.endsWith('&')) {
    await shell.run(here(command))
    const { output, exit } = await shell.run(untilListening('etcher.log'))
    expect(exit, output).toBe(0)
    return
  }
  const { output, exit } = await shell.run(onTerminal(here(command)))
  expect(exit, output).toBe(0)
  const lines = linesShown(output)
  if (command.startsWith('secsctl run ')) {
    expect(steady(lines)).toEqual(steady(shown))
    const seen = words(lines)
    for (const line of ['CJ-1 is COMPLETED (S14F1)', 'port is READY_TO_UNLOAD (S14F1)'])
      expect(seen).toContain(line)
  } else expect(words(lines)).toEqual(words(shown.map(here)))
})
