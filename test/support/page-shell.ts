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
        setTimeout(
          () => resolve({ output: this.#output.replace(`${END}${exit}\n`, ''), exit: Number(exit) }),
          50,
        )
      }
      this.#child.stdout.on('data', look)
    })
  }

  end(): void {
    if (this.#child.pid !== undefined) process.kill(-this.#child.pid, 'SIGTERM')
  }
}
