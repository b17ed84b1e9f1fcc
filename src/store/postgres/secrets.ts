import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { StoreDamaged } from '../failure.js'
import type { Database } from './database.js'

const CIPHER = 'aes-256-gcm'
const IV_LENGTH = 12
const TAG_LENGTH = 16

export interface SecretRow {
  readonly sealed: boolean
  readonly content: Buffer
}

/**
 * `length` random bytes, made by the process that asks first. `sealKey`: 32 bytes that seal them in the database. Throws
 * `StoreDamaged` where they cannot be opened with it.
 */
export async function secretOf(
  database: Database,
  name: string,
  length: number,
  sealKey: Uint8Array | undefined,
): Promise<Uint8Array> {
  const made = randomBytes(length)
  const content = sealKey ? sealedSecret(made, sealKey) : made
  await database.query('INSERT INTO secret VALUES ($1, $2, $3) ON CONFLICT DO NOTHING', [
    name,
    sealKey !== undefined,
    content,
  ])
  const [kept] = await database.query<SecretRow>('SELECT sealed, content FROM secret WHERE name = $1', [name])
  return openedSecret(name, kept, sealKey)
}

/** Throws `StoreDamaged` where it is not there, or not to be opened with this key. */
export function openedSecret(
  name: string,
  kept: SecretRow | undefined,
  sealKey: Uint8Array | undefined,
): Uint8Array {
  if (!kept) throw refused(name, 'it is gone')
  if (!kept.sealed) return kept.content
  if (!sealKey) throw refused(name, 'it is sealed: give --store-key-file')
  return opened(name, kept.content, sealKey)
}

export function sealedSecret(content: Uint8Array, key: Uint8Array): Buffer {
  const iv = randomBytes(IV_LENGTH)
  const cipher = createCipheriv(CIPHER, key, iv)
  return Buffer.concat([iv, cipher.update(content), cipher.final(), cipher.getAuthTag()])
}

function opened(name: string, bytes: Buffer, key: Uint8Array): Uint8Array {
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_LENGTH))
  decipher.setAuthTag(bytes.subarray(-TAG_LENGTH))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(IV_LENGTH, -TAG_LENGTH)), decipher.final()])
  } catch {
    throw refused(name, 'the key of --store-key-file does not open it')
  }
}

const refused = (name: string, why: string): StoreDamaged =>
  new StoreDamaged(`the secret ${name} in the database`, undefined, why, 'unreadable')
