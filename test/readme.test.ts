import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Home } from './support/daemon-process.js'
import { freePort } from './support/free-port.js'

/** A command of a console block and the lines that the README shows under it. */
interface Step {
  readonly command: string
  readonly shown: readonly string[]
}

const readme = readFileSync('README.md', 'utf8')
const blocks = [...readme.matchAll(/^```console\n([\s\S]*?)^```$/gm)].map(([, text]) => text as string)
const steps: Step[] = blocks.flatMap((block) =>
  block
    .split(/^\$ /m)
    .slice(1)
    .map((step) => {
      const [command, ...shown] = step.trimEnd().split('\n')
      return { command: command as string, shown }
    }),
)

/** What differs from run to run: identifiers, numbers, times, and an alarm that clears by itself. */
const PASSING = /^"?((eq|usr)_\w+|[\d:]+|\d{4}-\d\d-\d\dT[\d:.]+Z|active|cleared)"?,?$/
const wordsOf = (line: string): string[] =>
  line.split(/\s+/).filter((word) => word !== '' && !PASSING.test(word))

/** A table has a heading on a terminal, and none in a pipe. */
const isHeading = (line: string): boolean => /^[A-Z ]+$/.test(line)

const END = '__end_of_step__'

/** One shell in which all steps run, as a reader would type them. */
class Shell {
  readonly #child
  #output = ''

  constructor(home: Home) {
    // A process group of its own, so that what it left in the background ends with it.
    this.#child = spawn('bash', ['--noprofile', '--norc'], { env: home.env, stdio: 'pipe', detached: true })
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text
      })
    }
  }

  run(command: string): Promise<{ readonly output: string; readonly exit: number }> {
    this.#output = ''
    this.#child.stdin.write(`${command}\necho "${END}$?"\n`)
    return new Promise((resolve) => {
      const look = (): void => {
        const [, output, exit] = new RegExp(`^([\\s\\S]*)${END}(\\d+)\n`).exec(this.#output) ?? []
        if (output === undefined) return
        this.#child.stdout.off('data', look)
        // Standard error may come a moment behind.
        setTimeout(() => resolve({ output: this.#output, exit: Number(exit) }), 50)
      }
      this.#child.stdout.on('data', look)
    })
  }

  end(): void {
    if (this.#child.pid !== undefined) process.kill(-this.#child.pid, 'SIGTERM')
  }
}

const home = new Home()
let shell: Shell
let port: number

beforeAll(async () => {
  port = await freePort()
  shell = new Shell(home)
  const secsctl = `${process.execPath} ${process.cwd()}/bin/run.js`
  await shell.run(
    `unset SECSCTL_ADMIN_EMAIL SECSCTL_ADMIN_PASSWORD; cd ${home.folder}; secsctl() { ${secsctl} "$@"; }`,
  )
})

afterAll(async () => {
  await shell.run('secsctl daemon stop')
  shell.end()
  home.dispose()
})

/** The README's fixed ports and identifiers, as they are in this run. */
const here = (text: string): string =>
  text
    .replaceAll('5000', String(port))
    .replace('daemon start', 'daemon start --port 0')
    .replace('alarms ack 27', 'alarms ack $(secsctl alarms list | cut -f1)')

test('the README has a tour', () => {
  expect(steps.length).toBeGreaterThan(12)
})

test.each(steps)('$command prints what the README shows', async ({ command, shown }) => {
  if (command.endsWith('&')) {
    await shell.run(here(command))
    await shell.run(`until grep -q listening etcher.log; do sleep 0.05; done`)
    return
  }
  const { output, exit } = await shell.run(here(command))
  expect(exit, output).toBe(0)
  for (const line of shown.filter((line) => !isHeading(line))) {
    for (const word of wordsOf(here(line))) expect(output).toContain(word)
  }
})

test('the catalogue of a site that the docs show is one', async () => {
  const page = readFileSync('docs/site-messages.md', 'utf8')
  const [, shown] = /^```json\n([\s\S]*?)^```$/m.exec(page) ?? []
  const { output, exit } = await shell.run(`secsctl messages check - <<'END'\n${shown}END`)
  expect(output).toContain('2 messages and 3 items')
  expect(exit).toBe(0)
})
