import { spawn } from 'node:child_process'
import { shellWord } from '../../src/kit/shell-word.js'
import type { Home } from './daemon-process.js'

/** A command of a console block and the lines that a page shows under it. */
export interface Step {
  readonly command: string
  readonly shown: readonly string[]
}

/** The commands of the console blocks of a page. */
export const consoleSteps = (page: string): readonly Step[] =>
  [...page.matchAll(/^```console\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((step) => {
        const [command = '', ...shown] = step.trimEnd().split('\n')
        return { command, shown }
      }),
  )

/** What differs from run to run: identifiers, numbers, times, and an alarm that clears by itself. */
const PASSING = /^"?((eq|usr)_\w+|[\d:]+|\d{4}-\d\d-\d\dT[\d:.]+Z|active|cleared)"?,?$/
export const wordsOf = (line: string): string[] =>
  line.split(/\s+/).filter((word) => word !== '' && !PASSING.test(word))

/** A table has a heading on a terminal, and none in a pipe. */
export const isHeading = (line: string): boolean => /^[A-Z ]+$/.test(line)

/** A command of this shell on a terminal of so many columns; it sees no input. */
export const onTerminal = (command: string, columns = 130): string =>
  `script -qefc ${shellWord(`stty cols ${columns} -echoctl; ${command}`)} /dev/null </dev/null`

/** Waits until a simulated tool says in this file that it listens; it fails, with what it says, where that does not come. */
export const untilListening = (log: string): string =>
  `end=$((SECONDS + 150)); until grep -q listening ${log} || [ $SECONDS -gt $end ]; do sleep 0.05; done; grep -q listening ${log} || { cat ${log}; false; }`

/** What a terminal shows at the end of each line: what was drawn over, such as a spinner, is gone. */
export const linesShown = (output: string): string[] =>
  output
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) =>
      line
        .slice(line.lastIndexOf('\r') + 1)
        .replace('\x1b[K', '')
        .replaceAll('\x04', ''),
    )
    .filter((line) => line !== '')

const END = '__end_of_step__'

/** One shell in which all steps run, as a reader would type them. */
export class Shell {
  readonly #child
  /** Of both streams, as it came; and of each. */
  #output = ''
  readonly #said = { stdout: '', stderr: '' }
  #look = (): void => {}

  constructor(home: Home) {
    // A process group of its own, so that what it left in the background ends with it.
    this.#child = spawn('bash', ['--noprofile', '--norc'], { env: home.env, stdio: 'pipe', detached: true })
    for (const name of ['stdout', 'stderr'] as const)
      this.#child[name].setEncoding('utf8').on('data', (text: string) => {
        this.#output += text
        this.#said[name] += text
        this.#look()
      })
  }

  /** A step has ended once its end has come on both streams. */
  run(command: string): Promise<{ readonly output: string; readonly exit: number }> {
    this.#output = ''
    Object.assign(this.#said, { stdout: '', stderr: '' })
    this.#child.stdin.write(`${command}\nended="${END}$?"; echo $ended; echo $ended >&2\n`)
    return new Promise((resolve) => {
      this.#look = (): void => {
        const [, exit] = new RegExp(`${END}(\\d+)\n`).exec(this.#said.stdout) ?? []
        if (exit === undefined || !this.#said.stderr.includes(`${END}${exit}\n`)) return
        this.#look = () => {}
        resolve({ output: this.#output.replaceAll(`${END}${exit}\n`, ''), exit: Number(exit) })
      }
    })
  }

  end(): void {
    if (this.#child.pid !== undefined) process.kill(-this.#child.pid, 'SIGTERM')
  }
}
