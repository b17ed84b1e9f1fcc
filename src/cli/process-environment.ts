import { writeSync } from 'node:fs'
import { homedir } from 'node:os'
import { delay, systemClock } from '../kit/clock.js'
import type { Environment } from './environment.js'
import { Interruption, SIGNALS } from './input/interruption.js'
import { readerGone } from './output/pipe-reader.js'

/** How long a reader may take for the last output of a daemon. */
const OUTPUT_TIMEOUT_MS = 1000

/** Set for a process that ends when its standard input does: then the one that started it is gone, also if it was killed. */
export const ENDS_WITH_INPUT = 'SECSCTL_ENDS_WITH_INPUT'

/** ansis knows `NO_COLOR`, `FORCE_COLOR` and `TERM=dumb`, but takes a pipe in CI for something that shows colour. */
export const showsColour = process.stdout.isTTY || process.env['FORCE_COLOR'] !== undefined

/** The environment of this process. Nothing listens to signals or streams yet. */
export const processEnvironment = (
  root: string,
  interruption = new Interruption((code) => process.exit(code)),
): Environment => ({
  variables: process.env,
  // Opened by the few commands that read it.
  get stdin() {
    return process.stdin
  },
  stdout: process.stdout,
  stderr: process.stderr,
  clock: systemClock,
  interruption,
  get home() {
    return homedir()
  },
  platform: process.platform,
  systemRoot: '/',
  root,
  exitCode: 0,
  outputMayFail: false,
})

/** The same, for a command that runs: a signal, or a reader that is gone, ends it. */
export function listeningEnvironment(root: string): Environment {
  // A command that waits for what seldom comes would notice only at its next write.
  const watchReader = () =>
    void readerGone(systemClock).then(() => environment.outputMayFail || interruption.readerGone())
  const interruption = new Interruption((code) => process.exit(code), watchReader)
  const environment = processEnvironment(root, interruption)
  const { stdout, stderr } = environment
  for (const stream of [stdout, stderr]) {
    stream.prependListener('error', (error: NodeJS.ErrnoException) => {
      if (environment.outputMayFail) return
      if (error.code === 'EPIPE') return interruption.readerGone()
      // Further output is lost.
      if (stream === stdout) writeSync(2, `Error: cannot write the result: ${error.message}\n`)
      process.exit(1)
    })
  }
  for (const signal of SIGNALS) process.on(signal, () => interruption.signal(signal))
  return environment
}

/** Everything written is handed to the system before the process ends. */
const flushed = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => void stream.write('', () => resolve()))

/** Ends the process. */
export async function end({ stdout, stderr, outputMayFail }: Environment, code: number): Promise<never> {
  const output = Promise.all([flushed(stdout), flushed(stderr)])
  // A daemon ends also when its output is not read.
  await (outputMayFail ? Promise.race([output, delay(systemClock, OUTPUT_TIMEOUT_MS)]) : output)
  process.exit(code)
}
