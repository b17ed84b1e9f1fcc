import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { StoreDamaged } from '../../failure.js'
import type { Checkpoint } from '../documents/checkpoint.js'
import { crcOf } from '../documents/document-file.js'
import { removeDrafts, replaceFile, setAside } from './durable-file.js'
import type { FileSystem } from './file-system.js'

export interface SecretOptions {
  /** Holds its checksum. */
  readonly checkpoint: Checkpoint
  /** Makes another where it is damaged or gone. */
  readonly acceptLoss: boolean
  readonly warn: (text: string) => void
}

/** The secret of that name: `length` random bytes, made at the first call and the same ever after. */
export async function readOrCreateSecret(
  fs: FileSystem,
  folder: string,
  name: string,
  length: number,
  { checkpoint, acceptLoss, warn }: SecretOptions,
): Promise<Uint8Array> {
  const path = join(folder, name)
  await removeDrafts(fs, path)
  const found = await fs.read(path)
  const known = checkpoint.document(name)
  const fault = secretFault(found, length, known?.crc)
  if (fault !== undefined && !acceptLoss) throw new StoreDamaged(path, undefined, fault)
  if (fault !== undefined) {
    const kept = found ? `; as it was, it is kept in ${await setAside(fs, path)}` : ''
    warn(`${path}: ${fault}; a new one is made${kept}`)
  }
  const secret = fault === undefined && found ? found : randomBytes(length)
  if (secret !== found) await replaceFile(fs, path, secret)
  if (secret !== found || !known) {
    await checkpoint.noteDocument(name, { generation: (known?.generation ?? 0) + 1, crc: crcOf(secret) })
  }
  return secret
}

/** Undefined where it is right, or never was. */
export function secretFault(
  found: Uint8Array | undefined,
  length: number,
  crc: string | undefined,
): string | undefined {
  if (!found) return crc === undefined ? undefined : 'it is gone'
  if (found.length !== length) return `it has ${found.length} bytes, not ${length}`
  return crc === undefined || crcOf(found) === crc ? undefined : 'its checksum does not match its content'
}
