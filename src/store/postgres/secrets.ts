import { randomBytes } from 'node:crypto'
import { type DamageKind, StoreDamaged } from '../failure.js'
import { seal, unseal } from '../sealing.js'
import type { Database } from './database.js'

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
  if (!sealKey) throw refused(name, 'it is sealed: give --store-key-file', 'sealed')
  return opened(name, kept.content, sealKey)
}

export const sealedSecret = (content: Uint8Array, key: Uint8Array): Buffer => seal(content, key)

function opened(name: string, bytes: Buffer, key: Uint8Array): Uint8Array {
  const content = unseal(bytes, key)
  if (!content) throw refused(name, 'the key of --store-key-file does not open it', 'sealed')
  return content
}

const refused = (name: string, why: string, kind: DamageKind = 'lost'): StoreDamaged =>
  new StoreDamaged(`the secret ${name} in the database`, undefined, why, kind)
