/** Messages that cannot be made into what the target takes, however often that is tried. */
export class Unsendable extends Error {
  override readonly name = 'Unsendable'
}

/** What `make` makes of messages. What it throws is about them and not about the target: it becomes `Unsendable`. */
export function composed<T>(make: () => T): T {
  try {
    return make()
  } catch (cause) {
    throw new Unsendable('the message cannot be made for this target', { cause })
  }
}
