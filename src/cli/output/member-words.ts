/** What a command calls members of its request, by their pointers; one that ends in `/` stands for what is in it. */
export type MemberWords = Readonly<Record<string, string>>

/** Every flag for the member of the same name: `--item-format` for `/item_format`. */
export const flagWords = (flags: object): MemberWords =>
  Object.fromEntries(Object.keys(flags).map((name) => [`/${name.replaceAll('-', '_')}`, `--${name}`]))

const escaped = (text: string): string => text.replace(/[^\w/]/g, '\\$&')

/** Flags that take a duration where the API takes seconds. */
const SECONDS =
  /((?:^|[;:] )--(?:timeout|period|timer \w+)) must be a number from (\d+(?:\.\d+)?) to (\d+(?:\.\d+)?)/g

const duration = (seconds: string): string =>
  Number(seconds) < 1 ? `${Math.round(Number(seconds) * 1000)}ms` : `${seconds}s`

/** A text about a request, with each member where the text or a part of it begins in the words of the command line. */
export function inWords(text: string, words: MemberWords = {}): string {
  const told = Object.entries(words).reduce((told, [pointer, word]) => {
    const within = pointer.endsWith('/')
    const end = within ? '' : '(?:/([0-9]+))?(?![\\w-])'
    const member = new RegExp(`(^|[;:] )/?${escaped(pointer.slice(1))}${end}`, 'g')
    return told.replace(member, (_, before: string, place: string | number) => {
      const which = !within && typeof place === 'string' ? ` ${Number(place) + 1}` : ''
      return `${before}${word}${which}`
    })
  }, text)
  return told.replace(
    SECONDS,
    (_, flag: string, from: string, to: string) =>
      `${flag} must be a duration from ${duration(from)} to ${duration(to)}`,
  )
}
