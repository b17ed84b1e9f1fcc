import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const IV_LENGTH = 12
const TAG_LENGTH = 16

/** The content encrypted and authenticated (AES-256-GCM). `key`: 32 bytes. `context`: has to be the same to open it. */
export function seal(content: Uint8Array, key: Uint8Array, context = ''): Buffer {
  const iv = randomBytes(IV_LENGTH)
  const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_LENGTH }).setAAD(Buffer.from(context))
  return Buffer.concat([iv, cipher.update(content), cipher.final(), cipher.getAuthTag()])
}

/** Undefined where the bytes were not sealed with this key and context. */
export function unseal(bytes: Uint8Array, key: Uint8Array, context = ''): Buffer | undefined {
  if (bytes.length < IV_LENGTH + TAG_LENGTH) return undefined
  const iv = bytes.subarray(0, IV_LENGTH)
  const decipher = createDecipheriv(CIPHER, key, iv, { authTagLength: TAG_LENGTH })
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(-TAG_LENGTH))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(IV_LENGTH, -TAG_LENGTH)), decipher.final()])
  } catch {
    return undefined
  }
}
