/** Looks again and again until `look` finds something; a real process has its own time. */
export async function until<T>(
  look: () => T | undefined | false | Promise<T | undefined | false>,
  within = 30_000,
): Promise<T> {
  const end = performance.now() + within
  for (;;) {
    const found = await look()
    if (found !== undefined && found !== false) return found
    if (performance.now() > end) throw new Error(`nothing was found within ${within} ms`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
