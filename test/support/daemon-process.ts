import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { removeFolder, temporaryFolder } from './temporary-folder.js'
import { until } from './until.js'

export const ADMIN = { email: 'admin@fab.example', password: 'a long enough password' } as const

/** A home of its own for one test, removed by `dispose`. */
export class Home {
  readonly folder = temporaryFolder('secsctl-test-')

  /** The environment of a user who has nothing but this home. */
  get env(): NodeJS.ProcessEnv {
    return {
      PATH: process.env['PATH'],
      HOME: this.folder,
      SECSCTL_HOME: join(this.folder, 'secsctl'),
      SECSCTL_ADMIN_EMAIL: ADMIN.email,
      SECSCTL_ADMIN_PASSWORD: ADMIN.password,
    }
  }

  dispose(): void {
    removeFolder(this.folder)
  }
}

/** Kills a process, and waits until it is gone: it ends some time after the signal. */
export async function killed(pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL')
  await until(() => {
    try {
      return !process.kill(pid, 0)
    } catch {
      return true
    }
  })
}

/** A daemon as its users have it: a process of its own, on a free port unless `flags` has one, from the built command. */
export class DaemonProcess {
  private constructor(
    readonly child: ChildProcess,
    readonly url: string,
    readonly log: () => string,
  ) {}

  static async start(
    home: Home,
    flags: readonly string[] = [],
    more: NodeJS.ProcessEnv = {},
    /** How many files and sockets it may have open. */
    descriptors?: number,
  ): Promise<DaemonProcess> {
    const port = flags.includes('--port') ? [] : ['--port', '0']
    const run = [process.execPath, 'bin/run.js', 'daemon', 'run', ...port, ...flags]
    const limited = ['sh', '-c', `ulimit -n ${descriptors}; exec "$@"`, 'sh', ...run]
    const [program = '', ...args] = descriptors === undefined ? run : limited
    const child = spawn(program, args, {
      env: { ...home.env, ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let log = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log += text
    })
    const url = await new Promise<string>((resolve, reject) => {
      let output = ''
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        output += text
        const found = /^listening on (\S+)$/m.exec(output)?.[1]
        if (found) resolve(found)
      })
      child.once('exit', (code) => reject(new Error(`the daemon ended with ${code}: ${log}`)))
    })
    return new DaemonProcess(child, url, () => log)
  }

  /** Ends the process as the kernel or an operator would, and waits for it; the exit code or signal. */
  async end(signal: 'SIGKILL' | 'SIGTERM' | 'SIGINT'): Promise<number | string | null> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return this.child.exitCode
    const ended = new Promise<number | string | null>((resolve) => {
      this.child.once('exit', (code, by) => resolve(code ?? by))
    })
    this.child.kill(signal)
    return ended
  }
}
