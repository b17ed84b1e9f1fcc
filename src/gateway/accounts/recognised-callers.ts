import type { Clock } from '../../kit/clock.js'
import type { Caller } from './caller.js'

export interface Recognised {
  readonly caller: Caller
  /** When the token ends, on the clock that never goes back; infinity where that is not known. */
  readonly expiry: number
}

/** Callers remembered by their tokens, at most. */
const MAX_CALLERS = 4096

/** The callers of tokens that were verified since a user, a key or a revocation last changed. */
export class RecognisedCallers {
  #callers = new Map<string, Recognised>()

  constructor(readonly clock: Clock) {}

  /** The caller of a token that is still valid; undefined for every other token. */
  get(token: string): Caller | undefined {
    const known = this.#callers.get(token)
    const { clock } = this
    const isValid = known && clock.date().getTime() < known.caller.tokenExpires && clock.now() < known.expiry
    return isValid ? known.caller : undefined
  }

  /** Verifies a token and remembers its caller. */
  async add(token: string, verify: () => Promise<Recognised>): Promise<Caller> {
    const callers = this.#callers
    const recognised = await verify()
    if (callers.size >= MAX_CALLERS) callers.clear()
    // If something changed meanwhile, this is the replaced map, which is not read any more.
    callers.set(token, recognised)
    return recognised.caller
  }

  forget(): void {
    this.#callers = new Map()
  }
}
