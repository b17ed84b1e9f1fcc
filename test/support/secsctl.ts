import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { runCommand } from './command.js'
import { removeFolder, temporaryFolder } from './temporary-folder.js'

const BIN = fileURLToPath(new URL('../../bin/run.js', import.meta.url))

export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string
}

/** The built `secsctl` with a home of its own, in pipes as in a script. */
export class Secsctl {
  readonly home = temporaryFolder('secsctl-test-')

  environment(env: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
    const { PATH } = process.env
    return { ...(PATH !== undefined && { PATH }), SECSCTL_HOME: this.home, TZ: 'UTC', ...env }
  }

  /** Runs a command to its end, in this process. */
  async run(args: readonly string[], { env, input = '' }: RunOptions = {}): Promise<Ran> {
    const { exitCode: code, ...written } = await runCommand(args, { variables: this.environment(env), input })
    return { code, ...written }
  }

  /** Runs a command to its end in a process of its own. */
  runProcess(args: readonly string[], { env, input = '' }: RunOptions = {}): Promise<Ran> {
    const child = spawn(process.execPath, [BIN, ...args], { env: this.environment(env) })
    child.stdin.on('error', () => {}) // a command that reads nothing closes it early
    child.stdin.end(input)
    return ended(child)
  }

  /** Starts a command that stays. */
  start(args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
    return spawn(process.execPath, [BIN, ...args], { env: this.environment(env), stdio: 'pipe' })
  }

  /** Removes the home. */
  remove(): void {
    removeFolder(this.home)
  }
}

/** How a process ended and what it said. */
export function ended(child: ChildProcess): Promise<Ran> {
  return new Promise((resolve, reject) => {
    let stdout = ''
    let stderr = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
    })
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, stdout, stderr }))
  })
}

/** Resolves with the first line of a process that matches. Rejects when it ends without one. */
export function lineOf(child: ChildProcess, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const found = text
        .split('\n')
        .slice(0, -1)
        .find((line) => pattern.test(line))
      if (found !== undefined) resolve(found)
    })
    child.once('close', () => reject(new Error(`no line ${pattern} in: ${text}`)))
  })
}
