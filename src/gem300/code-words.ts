/** The words of the numbers that equipment sends for a state or a kind; it may have none for some words. */
export type CodeWords<Word extends string> = Readonly<Record<number, Word>>

/** A number without a word here. It keeps its number, since the word beside it would be a wrong one. */
export type UnknownCode = `unknown (${string})`

const unknownCode = (value: number | bigint | string): UnknownCode => `unknown (${value})`

/** The word of a number as equipment sent it; `unknown (5)` where there is none. */
export const wordOf = <Word extends string>(
  words: CodeWords<Word>,
  code: number | bigint | string,
): Word | UnknownCode => (/^\d+$/.test(String(code)) ? words[Number(code)] : undefined) ?? unknownCode(code)

/** The number for a word, and for a number without a word that number; undefined where the equipment has none. */
export function codeOf<Word extends string>(
  words: CodeWords<Word>,
  word: Word | UnknownCode,
): number | undefined {
  const unknown = /^unknown \((\d+)\)$/.exec(word)
  if (unknown) return Number(unknown[1])
  const entry = Object.entries(words).find(([, known]) => known === word)
  return entry && Number(entry[0])
}

/** Tables of numbers by the name of the variant that a site chooses; `standard` is the default. */
export type CodeVariants<Word extends string> = { readonly standard: CodeWords<Word> } & Readonly<
  Record<string, CodeWords<Word>>
>
