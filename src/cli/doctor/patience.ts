import type { Unreachable } from '../../client/failures.js'

/** A server that has taken the question and was silent: it may be busy for a moment, which one that hung up is not. */
export const isSlow = (error: unknown): boolean => {
  const { name, cause } = Object(error) as Partial<Unreachable>
  return name === 'Unreachable' && Object(cause).code === 'ETIMEDOUT'
}

/** Asks once more where the server was slow, and not a third time. `ask` has a limit of its own. */
export const askedTwice = <T>(ask: () => Promise<T>): Promise<T> =>
  ask().catch((error: unknown) => {
    if (!isSlow(error)) throw error
    return ask()
  })
