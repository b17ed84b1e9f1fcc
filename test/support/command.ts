import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Environment, Variables } from '../../src/cli/environment.js'
import { Interruption } from '../../src/cli/input/interruption.js'
import type { runCommand as run } from '../../src/cli/run.js'
import { type Clock, systemClock } from '../../src/kit/clock.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export interface CommandOptions {
  /** What is asked, with the token `secret`. */
  readonly gateway?: { readonly url: string }
  readonly variables?: Variables
  /** The root of a made-up machine; one without systemd when left out. */
  readonly systemRoot?: string | undefined
  /** Standard input. */
  readonly input?: string
  /** The columns of a terminal; a pipe without. */
  readonly columns?: number
  /** The clock of the machine without. */
  readonly clock?: Clock
  /** Presses Ctrl-C when it aborts. */
  readonly interrupt?: AbortSignal
}

export interface CommandResult {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
}

/** An environment in this process, with a home that does not exist unless `variables` names another. */
export function testEnvironment({
  gateway,
  variables,
  input = '',
  columns,
  clock = systemClock,
  systemRoot = join(tmpdir(), 'secsctl-no-root'),
}: CommandOptions = {}): Environment & {
  readonly written: { stdout: string; stderr: string }
} {
  const written = { stdout: '', stderr: '' }
  const stream = (name: 'stdout' | 'stderr') =>
    Object.assign(
      new Writable({
        decodeStrings: false,
        write(chunk: string | Uint8Array, _, done) {
          written[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
          done()
        },
      }),
      columns === undefined ? {} : { isTTY: true, columns, rows: 24 },
    ) as NodeJS.WriteStream
  const home = join(tmpdir(), 'secsctl-no-home')
  return {
    variables: {
      PATH: process.env['PATH'],
      SECSCTL_HOME: home,
      ...(gateway && { SECSCTL_URL: gateway.url, SECSCTL_TOKEN: 'secret' }),
      ...variables,
    },
    stdin: Readable.from(input === '' ? [] : [Buffer.from(input)]) as NodeJS.ReadStream,
    stdout: stream('stdout'),
    stderr: stream('stderr'),
    written,
    clock,
    interruption: new Interruption((code) => {
      throw new Error(`a command that holds no signal was ended with ${code}`)
    }),
    home,
    platform: process.platform,
    systemRoot,
    root: ROOT,
    exitCode: 0,
    outputMayFail: false,
  }
}

/** Runs a command of the build in this process, to its end. */
export async function runCommand(
  args: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  const { load } = createRequire(import.meta.url)('../../bin/load.js') as {
    readonly load: (file: string) => { readonly runCommand: typeof run }
  }
  const environment = testEnvironment(options)
  options.interrupt?.addEventListener('abort', () => environment.interruption.signal('SIGINT'))
  const exitCode = await load('run.js').runCommand(args, environment)
  return { ...environment.written, exitCode }
}
