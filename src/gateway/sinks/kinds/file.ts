import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { SinkTarget } from '../../../contract/topics/sinks/targets.js'
import type { OpenTarget, SinkKind } from './kind.js'
import { invalid } from './target-rules.js'

const MAX_BYTES = 100 * 1024 * 1024
const KEPT = 10
const MAX_LINES = 500
const NEWLINE = 0x0a
const { O_APPEND, O_CREAT, O_NOFOLLOW = 0, O_RDWR } = constants

/** Writes messages as lines of a file. What `send` has written is on disk when it resolves. */
export const file: OpenTarget = ({ file: target }, { folder }) => {
  if (!target) throw new Error('The sink has no file.')
  const { file: name, max_bytes = MAX_BYTES, keep = KEPT } = target
  const path = join(folder, name)
  let handle: FileHandle | undefined
  let size = 0

  const close = async (): Promise<void> => {
    const closing = handle
    handle = undefined
    await closing?.close()
  }
  const opened = async (): Promise<FileHandle> => {
    if (handle) return handle
    await mkdir(folder, { recursive: true, mode: 0o750 })
    const found = await open(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, 0o640)
    try {
      size = await cutToWholeLines(found)
      await syncFolder(folder)
    } catch (error) {
      await found.close()
      throw error
    }
    handle = found
    return found
  }
  const rotate = async (): Promise<void> => {
    await close()
    await rm(`${path}.${keep}`, { force: true })
    for (let number = keep - 1; number >= 1; number--)
      await renameIfThere(`${path}.${number}`, `${path}.${number + 1}`)
    await rename(path, `${path}.1`)
    await syncFolder(folder)
  }

  return {
    maxMessages: MAX_LINES,
    async send(messages) {
      try {
        const lines = Buffer.from(messages.map(({ text }) => `${text}\n`).join(''))
        let current = await opened()
        // Somebody may have moved it away.
        if (!(await isAt(path, current))) {
          await close()
          current = await opened()
        }
        if (size > 0 && size + lines.length > max_bytes) {
          await rotate()
          current = await opened()
        }
        await current.appendFile(lines)
        size += lines.length
        await current.datasync()
        return undefined
      } catch (error) {
        // A line that was begun is cut off when the file is opened again.
        await close().catch(() => {})
        throw error
      }
    },
    close,
  }
}

export const FILE: SinkKind<SinkTarget<'file'>> = {
  open: file,
  refuseTarget(target, _, others) {
    if (/\.[0-9]+$/.test(target.file))
      throw invalid('/file/file', 'ends in a dot and digits, as the names of rotated files do')
    if (others.some((other) => other.file?.file === target.file))
      throw invalid('/file/file', 'is the file of another sink')
  },
  refuseSecret() {
    throw invalid('/secret', 'is not for files')
  },
  destinations: () => [],
}

/** Cuts off a last line that was not written whole. Its messages are sent again. Returns the size. */
async function cutToWholeLines(handle: FileHandle): Promise<number> {
  const { size } = await handle.stat()
  const part = Buffer.alloc(64 * 1024)
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - part.length)
    const { bytesRead } = await handle.read(part, 0, end - start, start)
    const at = part.subarray(0, bytesRead).lastIndexOf(NEWLINE)
    if (at >= 0) return cutTo(handle, start + at + 1)
    end = start
  }
  return cutTo(handle, 0)
}

async function cutTo(handle: FileHandle, size: number): Promise<number> {
  await handle.truncate(size)
  return size
}

async function isAt(path: string, handle: FileHandle): Promise<boolean> {
  const [there, ours] = await Promise.all([stat(path).catch(() => undefined), handle.stat()])
  return there?.ino === ours.ino && there.dev === ours.dev
}

async function renameIfThere(from: string, to: string): Promise<void> {
  await rename(from, to).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
