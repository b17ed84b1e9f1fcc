/** What is looked for; undefined or false where it is not there yet. */
type Look<T> = () => T | undefined | false | Promise<T | undefined | false>

/** Looks again and again until `look` finds something; a real process has its own time. The error shows what was looked for. */
export async function until<T>(look: Look<T>, within = 90_000): Promise<T> {
  const end = performance.now() + within
  for (;;) {
    const found = await look()
    if (found !== undefined && found !== false) return found
    if (performance.now() > end) throw new Error(`nothing was found within ${within} ms by ${look}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** The same while made-up time goes on, by `step` milliseconds before each look. */
export const untilLater = <T>(
  clock: { readonly advance: (ms: number) => void },
  look: Look<T>,
  step = 1,
): Promise<T> =>
  until(() => {
    clock.advance(step)
    return look()
  })

/** The event loop goes round so often: what needs nothing but sockets of this process has happened, however busy it is. */
export async function turns(count = 30): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
}

/** What `count` gives once it does not change any more however often the event loop goes round. */
export async function settledAt<T>(count: () => T | Promise<T>): Promise<T> {
  for (let before = await count(); ; ) {
    await turns(300)
    const now = await count()
    if (now === before) return now
    before = now
  }
}
