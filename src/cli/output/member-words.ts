/**
 * What a command calls the members of its request, by their pointers. One that ends in `/` is for what is in the member,
 * and its words have `*` for the rest of the pointer.
 */
export type MemberWords = Readonly<Record<string, string>>

/** Every flag for the member of the same name: `--item-format` for `/item_format`. */
export const flagWords = (flags: object): MemberWords =>
  Object.fromEntries(
    Object.entries(flags).map(([name, { helpValue }]: [string, { readonly helpValue?: unknown }]) => [
      `/${name.replaceAll('-', '_')}`,
      `--${name}${helpValue === 'DURATION' ? IN_SECONDS : ''}`,
    ]),
  )

/** Every argument for the member of the same name: `PPID` for `/ppid`. */
export const argumentWords = (args: object): MemberWords =>
  Object.fromEntries(Object.keys(args).map((name) => [`/${name}`, name.toUpperCase()]))

/** A flag takes a duration such as 500ms; limits of the API are seconds. */
export const IN_SECONDS = ' (in seconds)'

/** What a command calls the member at `pointer`, which may also be the name of a parameter. */
export function memberWord(pointer: string, words: MemberWords): string {
  const path = pointer.startsWith('/') ? pointer : `/${pointer}`
  const [parent, last] = [path.slice(0, path.lastIndexOf('/')), path.slice(path.lastIndexOf('/') + 1)]
  const place = /^[0-9]+$/.test(last) ? words[parent] : undefined
  const group = Object.keys(words).find((start) => start.endsWith('/') && path.startsWith(start)) ?? ''
  const inGroup = path.slice(group.length).replaceAll('~1', '/').replaceAll('~0', '~')
  return (
    words[path] ??
    (place && `${place} ${Number(last) + 1}`) ??
    words[group]?.replace('*', () => inGroup) ??
    (pointer === '' ? 'the body' : pointer)
  )
}
