/** What a pattern of names matches. */
export interface NamePattern {
  test(name: string): boolean
}

/**
 * A pattern of names: `*` stands for any characters, `?` for one. Only the last `*` is ever moved, so the time is at
 * most the length of the pattern times that of the name, whatever either of them is.
 */
export function namePattern(text: string): NamePattern {
  const pattern = [...text.normalize()]
  return { test: (name) => matches(pattern, [...name.normalize()]) }
}

function matches(pattern: readonly string[], name: readonly string[]): boolean {
  let [at, next] = [0, 0]
  /** Where the pattern goes on after the last `*`, and the first character of the name that it does not stand for. */
  let [afterStar, resume] = [-1, 0]
  while (next < name.length) {
    if (pattern[at] === '*') {
      afterStar = ++at
      resume = next
    } else if (pattern[at] === '?' || (at < pattern.length && pattern[at] === name[next])) {
      at++
      next++
    } else if (afterStar >= 0) {
      at = afterStar
      next = ++resume
    } else return false
  }
  while (pattern[at] === '*') at++
  return at === pattern.length
}
