import type { SchemaOptions, Tags } from 'yaml'

/** Controls but line feed, what YAML 1.2 has no character for, and what YAML 1.1 takes for a line break or a mark. */
const ODD = /(?!\n)[\p{Cc}\p{Cs}\u2028\u2029\ufeff\ufffe\uffff]/gu

/** Texts that a reader takes for something else without quotes: white space, `=`, and `:x` or `x? y` on one line with others. */
const MISREAD = /^(\s+|=)$|^:|\?/

const escaped = (text: string): string =>
  text.replace(ODD, (odd) => `\\u${odd.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** The tag of texts with quotes and escapes where a reader needs them. */
const quotingTexts = (tags: Tags): Tags =>
  tags.map((tag) => {
    if (typeof tag === 'string' || tag.tag !== 'tag:yaml.org,2002:str' || tag.collection) return tag
    return {
      ...tag,
      stringify(scalar, ...context) {
        const text = String(scalar.value)
        const isOdd = text.search(ODD) >= 0
        if (isOdd || MISREAD.test(text)) scalar.type = 'QUOTE_DOUBLE'
        const written = tag.stringify?.(scalar, ...context) ?? JSON.stringify(text)
        return isOdd ? escaped(written) : written
      },
    }
  })

/**
 * Options for documents that we write: PyYAML and libyaml read them, too. In quotes are texts that YAML 1.1 reads as a
 * truth value, a time, a number or a tag, and those with tabs; characters that a document may not have are escapes.
 */
export const FOR_OLD_READERS = {
  compat: 'yaml-1.1',
  customTags: quotingTexts,
} as const satisfies SchemaOptions

/** Lines of a comment: a character that would end one, or that a document may not have, is written as an escape. */
export const commentLines = (lines: readonly string[]): string =>
  lines.map((line) => escaped(line).replaceAll('\n', '\\n')).join('\n')
