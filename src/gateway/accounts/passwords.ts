import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { Problem } from '../../contract/errors.js'

/** scrypt's N by default: 34 MB and about 0.2 seconds a password. */
const COST = 2 ** 15
const BLOCK_SIZE = 8
const KEY_LENGTH = 32
/** Passwords looked at once: each takes a thread and its memory. */
const MAX_AT_ONCE = 2
/** Callers that may wait for their turn, some ten seconds' worth, and those of one holder. */
const MAX_WAITING = 64
const MAX_OF_HOLDER = 16

const MIN_LENGTH = 12
const MAX_LENGTH = 256

/** Throws `invalid_request` for a password that is too short or too long. */
export function requireLength(password: string): void {
  if (password.length >= MIN_LENGTH && password.length <= MAX_LENGTH) return
  throw new Problem('invalid_request', `The password has to have ${MIN_LENGTH} to ${MAX_LENGTH} characters.`)
}

const HASH = /^scrypt\$(\d+)\$(\d+)\$([\w-]+)\$([\w-]+)$/
/** The highest cost that is worked with: 1 GB a password. */
const MAX_COST = 2 ** 20

/** True for the hash of a password, as `Passwords` makes it. */
export function isPasswordHash(text: string): boolean {
  const [, cost, blockSize, , key = ''] = HASH.exec(text) ?? []
  const isPower = Number.isInteger(Math.log2(Number(cost))) && Number(cost) > 1
  const isKey = Buffer.from(key, 'base64url').length === KEY_LENGTH
  return isPower && Number(cost) <= MAX_COST && Number(blockSize) === BLOCK_SIZE && isKey
}

/** `scrypt` is looked up at each call: the simulated site puts its own in its place. */
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

interface Waiting {
  begin(): void
  refuse(problem: Problem): void
}

const crowded = (): Problem =>
  new Problem('rate_limited', 'Too many logins at once. Try again in a moment.', { retry_after: 5 })

/** Hashes and checks passwords, two at a time; holders that wait take turns. */
export class Passwords {
  #busy = 0
  /** By holder, the one whose turn is next first. */
  readonly #waiting = new Map<string, Waiting[]>()

  /** `cost`: scrypt's N, a power of two. */
  constructor(readonly cost: number = COST) {}

  /** `holder`: the user or network that the work is done for. */
  hash(password: string, holder = ''): Promise<string> {
    return this.inTurn(holder, async () => {
      const salt = randomBytes(16)
      const key = await derive(password, salt, optionsOf(this.cost, BLOCK_SIZE))
      return ['scrypt', this.cost, BLOCK_SIZE, salt.toString('base64url'), key.toString('base64url')].join(
        '$',
      )
    })
  }

  /**
   * True when `hash` was made from `password`. Without a hash it is false, after the same time, so that
   * a caller cannot distinguish a wrong password from a missing user. Call it within `inTurn`.
   */
  async matches(password: string, hash: string | undefined): Promise<boolean> {
    const parts = HASH.exec(hash ?? '')
    if (!parts) {
      await derive(password, randomBytes(16), optionsOf(this.cost, BLOCK_SIZE))
      return false
    }
    const [, cost, blockSize, salt = '', key = ''] = parts
    const options = optionsOf(Number(cost), Number(blockSize))
    const derived = await derive(password, Buffer.from(salt, 'base64url'), options)
    return timingSafeEqual(derived, Buffer.from(key, 'base64url'))
  }

  /**
   * Runs `work` when it is its turn. `holder`: the network or the user that asks for it. Throws `quota_exceeded` when
   * too many of the holder wait already, `rate_limited` when too many wait in all and none has more than the holder.
   */
  async inTurn<T>(holder: string, work: () => Promise<T>): Promise<T> {
    if (this.#busy >= MAX_AT_ONCE) await this.#wait(holder)
    else this.#busy++
    try {
      return await work()
    } finally {
      this.#next()
    }
  }

  #wait(holder: string): Promise<void> {
    const own = this.#waiting.get(holder) ?? []
    if (own.length >= MAX_OF_HOLDER) {
      const detail = `${own.length} passwords of this address wait to be checked or stored already. Try again in a moment.`
      throw new Problem('quota_exceeded', detail, { retry_after: 5 })
    }
    this.#makeRoom(own.length)
    return new Promise((begin, refuse) => {
      own.push({ begin, refuse })
      this.#waiting.set(holder, own)
    })
  }

  /** Refuses the last waiting call of the holder with the most, to make room for a holder that has `own` waiting. */
  #makeRoom(own: number): void {
    const queues = [...this.#waiting.values()]
    if (queues.reduce((sum, { length }) => sum + length, 0) < MAX_WAITING) return
    const longest = queues.reduce((most, each) => (each.length > most.length ? each : most))
    if (longest.length <= own + 1) throw crowded()
    longest.pop()?.refuse(crowded())
  }

  #next(): void {
    const [first] = this.#waiting
    if (!first) {
      this.#busy--
      return
    }
    const [holder, queue] = first
    this.#waiting.delete(holder)
    const next = queue.shift()
    if (queue.length > 0) this.#waiting.set(holder, queue)
    next?.begin()
  }
}
