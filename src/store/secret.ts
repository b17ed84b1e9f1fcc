import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { removeDrafts, replaceFile } from './durable-file.js'
import { StoreDamaged } from './failure.js'
import type { FileSystem } from './file-system.js'

/** The secret of that name: `length` random bytes, made at the first call and the same ever after. */
export async function readOrCreateSecret(
  fs: FileSystem,
  folder: string,
  name: string,
  length: number,
): Promise<Uint8Array> {
  const path = join(folder, name)
  await removeDrafts(fs, path)
  const found = await fs.read(path)
  if (found && found.length !== length) {
    throw new StoreDamaged(
      path,
      undefined,
      `it has ${found.length} bytes, not ${length}; removing it makes a new one`,
    )
  }
  if (found) return found
  const made = randomBytes(length)
  await replaceFile(fs, path, made)
  return made
}
