const [CONTINUATION, CONTINUATION_BITS] = [0x80, 6]

/**
 * A text as one level of a topic. What a level cannot have (slashes, wildcards, control characters), and the percent
 * sign, is percent-encoded, so that different texts are different levels.
 */
export const topicLevel = (text: string): string =>
  text.replace(/[%/+#\p{C}]/gu, (character) =>
    utf8(character.codePointAt(0) as number)
      .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
      .join(''),
  )

/** Half of a surrogate pair has its own bytes, too: Node would give all of them the same ones. */
function utf8(codePoint: number): number[] {
  if (codePoint < 0x80) return [codePoint]
  const length = codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4
  const part = (at: number): number => codePoint >> (CONTINUATION_BITS * (length - 1 - at))
  const lead = (0xf00 >> length) & 0xff
  return Array.from({ length }, (_, at) => (at === 0 ? lead | part(0) : CONTINUATION | (part(at) & 0x3f)))
}
