import { createHash, createHmac, pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derived = promisify(pbkdf2)
/** Of the key derivation. More would only keep a processor busy. */
const ITERATIONS = { least: 4096, most: 1_000_000 }
/** Without channel binding, in base64. */
const NO_BINDING = 'biws'

/**
 * The client's side of SCRAM (RFC 5802, RFC 7677). `exchange` sends a message and resolves with the response. Rejects when
 * the server does not prove that it knows the password, or what it says is not SCRAM.
 */
export async function scram(
  hash: 'sha256' | 'sha512',
  { user, password, nonce = randomBytes(18).toString('base64') }: ScramUser,
  exchange: (message: string) => Promise<string>,
): Promise<void> {
  const name = user.replaceAll('=', '=3D').replaceAll(',', '=2C')
  const first = `n=${name},r=${nonce}`
  const response = await exchange(`n,,${first}`)
  const { r: serverNonce = '', s: salt = '', i: rounds = '' } = attributesOf(response)
  const iterations = Number(rounds)
  if (!serverNonce.startsWith(nonce) || serverNonce === nonce || salt === '')
    throw new Error('the broker does not follow SCRAM')
  if (!(iterations >= ITERATIONS.least && iterations <= ITERATIONS.most))
    throw new Error(`the broker asks for ${rounds} iterations of SCRAM`)
  const hmac = (key: Buffer, text: string): Buffer => createHmac(hash, key).update(text).digest()
  const size = hash === 'sha256' ? 32 : 64
  const salted = await derived(password, Buffer.from(salt, 'base64'), iterations, size, hash)
  const clientKey = hmac(salted, 'Client Key')
  const last = `c=${NO_BINDING},r=${serverNonce}`
  const said = `${first},${response},${last}`
  const signature = hmac(createHash(hash).update(clientKey).digest(), said)
  const proof = clientKey.map((byte, at) => byte ^ (signature[at] ?? 0))
  const { v = '', e } = attributesOf(await exchange(`${last},p=${Buffer.from(proof).toString('base64')}`))
  if (e !== undefined) throw new Error(`the broker refuses the user: ${e}`)
  const expected = hmac(hmac(salted, 'Server Key'), said)
  const given = Buffer.from(v, 'base64')
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    throw new Error('the broker does not know the password')
}

interface ScramUser {
  readonly user: string
  readonly password: string
  /** Random unless it is given, in a test. */
  readonly nonce?: string
}

/** The values of `a=value,b=value` by their letters. */
const attributesOf = (message: string): Partial<Record<string, string>> =>
  Object.fromEntries(message.split(',').map((part) => [part.slice(0, 1), part.slice(2)]))
