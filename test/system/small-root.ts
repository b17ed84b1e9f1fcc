import { execFile, type PromiseWithChild } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A folder for `chroot`, with a few programs and the libraries that they load. There is no /proc, /dev or /tmp. */
export class SmallRoot {
  constructor(readonly folder: string) {
    mkdirSync(folder, { recursive: true })
    chmodSync(folder, 0o755)
  }

  path(name: string): string {
    return join(this.folder, name)
  }

  write(name: string, text: string): void {
    mkdirSync(dirname(this.path(name)), { recursive: true })
    writeFileSync(this.path(name), text)
  }

  /** Copies a program of this machine, with its libraries. */
  async add(program: string, at = program): Promise<void> {
    this.#copy(program, at)
    await this.addLibraries(program)
  }

  async addLibraries(program: string): Promise<void> {
    const { stdout } = await run('ldd', [program])
    for (const [library] of stdout.matchAll(/(?<=\s)\/\S+/g)) this.#copy(library, library)
  }

  run(
    command: readonly [string, ...string[]],
    {
      user = '0:0',
      env = {},
    }: { readonly user?: string; readonly env?: Readonly<Record<string, string>> } = {},
  ): PromiseWithChild<{ stdout: string; stderr: string }> {
    return run('chroot', [`--userspec=${user}`, this.folder, ...command], {
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', ...env },
    })
  }

  #copy(file: string, at: string): void {
    if (existsSync(this.path(at))) return
    mkdirSync(dirname(this.path(at)), { recursive: true })
    copyFileSync(file, this.path(at))
  }
}
