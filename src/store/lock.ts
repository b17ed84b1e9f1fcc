import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** Held until released, or until the process is gone, however it goes. */
export interface Lock {
  release(): Promise<void>
}

/** Another process works on the folder. */
export class FolderLocked extends Error {
  override readonly name = 'FolderLocked'

  constructor(
    readonly folder: string,
    /** As the holder noted it; for people. */
    readonly pid: number | undefined,
  ) {
    super(`${folder} is in use${pid === undefined ? '' : ` by process ${pid}`}`)
  }
}

const NAME = 'lock'

/** Takes the folder for this process: a lock that the kernel frees with it. Throws `FolderLocked`. */
export async function lockFolder(folder: string): Promise<Lock> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, NAME)
  const handle = await open(path, constants.O_RDWR | constants.O_CREAT, 0o600)
  try {
    if (!tryLock(handle)) throw new FolderLocked(folder, await holder(path))
    await handle.chmod(0o600)
    await note(handle)
  } catch (error) {
    await handle.close()
    throw error
  }
  let released = false
  return {
    async release() {
      if (released) return
      released = true
      await handle.close()
    },
  }
}

/** Loaded when it is needed: a native addon that a command without a data folder has no use for. */
function tryLock({ fd }: FileHandle): boolean {
  const require = createRequire(import.meta.url)
  const native = require('fs-native-extensions') as typeof import('fs-native-extensions')
  return native.tryLock(fd)
}

/** For people. The lock holds without it, so a full disk does not matter. */
async function note(handle: FileHandle): Promise<void> {
  try {
    await handle.truncate(0)
    await handle.write(`${process.pid}\n`, 0)
  } catch {
    // nobody is told the pid
  }
}

async function holder(path: string): Promise<number | undefined> {
  const pid = Number.parseInt(await readFile(path, 'latin1').catch(() => ''), 10)
  return Number.isSafeInteger(pid) ? pid : undefined
}
