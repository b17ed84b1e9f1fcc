import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { Problem } from '../contract/errors.js'

/** scrypt's N unless told otherwise: 34 MB and some 0.2 seconds a password. */
const COST = 2 ** 15
const BLOCK_SIZE = 8
const KEY_LENGTH = 32
/** Passwords looked at once: each takes a thread and its memory. */
const MOST_AT_ONCE = 2
/** Callers that may wait for their turn, some ten seconds' worth. */
const MOST_WAITING = 64

const HASH = /^scrypt\$(\d+)\$(\d+)\$([\w-]+)\$([\w-]+)$/

const derive = (password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(password.normalize('NFC'), salt, KEY_LENGTH, options, (error, key) => {
      if (error) reject(error)
      else resolve(key)
    })
  })

const optionsOf = (cost: number, blockSize: number): ScryptOptions => ({
  N: cost,
  r: blockSize,
  p: 1,
  maxmem: 256 * blockSize * (cost + 256),
})

/** Hashes and checks passwords, two at a time. */
export class Passwords {
  #busy = 0
  readonly #waiting: (() => void)[] = []

  /** `cost`: scrypt's N, a power of two. */
  constructor(readonly cost: number = COST) {}

  hash(password: string): Promise<string> {
    return this.inTurn(async () => {
      const salt = randomBytes(16)
      const key = await derive(password, salt, optionsOf(this.cost, BLOCK_SIZE))
      return ['scrypt', this.cost, BLOCK_SIZE, salt.toString('base64url'), key.toString('base64url')].join(
        '$',
      )
    })
  }

  /**
   * True when `hash` was made from `password`. Without a hash it is false, after the same time, so that
   * nobody can tell a wrong password from a user that does not exist. To be called in turn.
   */
  async matches(password: string, hash: string | undefined): Promise<boolean> {
    const [, cost, blockSize, salt, key] = HASH.exec(hash ?? '') ?? []
    if (salt === undefined || key === undefined) {
      await derive(password, randomBytes(16), optionsOf(this.cost, BLOCK_SIZE))
      return false
    }
    const options = optionsOf(Number(cost), Number(blockSize))
    const derived = await derive(password, Buffer.from(salt, 'base64url'), options)
    return timingSafeEqual(derived, Buffer.from(key, 'base64url'))
  }

  /** Runs `work` when it is its turn. Throws `rate_limited` when too many wait already. */
  async inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#busy >= MOST_AT_ONCE) {
      if (this.#waiting.length >= MOST_WAITING) {
        throw new Problem('rate_limited', 'Too many logins at once. Try again in a moment.', {
          retry_after: 5,
        })
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    } else this.#busy++
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#busy--
    }
  }
}
