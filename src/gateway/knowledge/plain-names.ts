/** Identifiers by name, independent of case and punctuation. The index is built at the first lookup after `forget`. */
export class PlainNames {
  /** Names without case and punctuation, with their identifiers: mostly one each, of up to 20,000 names. */
  #plainly: ReadonlyMap<string, string | readonly string[]> | undefined
  /** The last name that was looked up, and its identifiers: each event report asks for the same one. */
  #last: { readonly name: string; readonly ids: readonly string[] } | undefined

  constructor(private readonly names: () => ReadonlyMap<string, { readonly name: string }>) {}

  /** Drops the index: the names have changed. */
  forget(): void {
    this.#plainly = undefined
    this.#last = undefined
  }

  /**
   * The identifier of a name; without an exact match, that of a name which differs only in case and punctuation.
   * Undefined where several identifiers match.
   */
  idOf(name: string): string | undefined {
    const [found, another] = this.idsOf(name)
    return another === undefined ? found : undefined
  }

  /** All identifiers that match the name. */
  idsOf(name: string): readonly string[] {
    if (this.#last?.name === name) return this.#last.ids
    this.#plainly ??= plainNames(this.names())
    const alike = [this.#plainly.get(plain(name)) ?? []].flat()
    const same = alike.filter((id) => this.names().get(id)?.name === name)
    const ids = same.length > 0 ? same : alike
    this.#last = { name, ids }
    return ids
  }
}

const plain = (name: string): string =>
  (isAscii(name)
    ? name.replace(/[^A-Za-z0-9]+/g, '')
    : name.normalize().replace(/[^\p{L}\p{N}]+/gu, '')
  ).toLowerCase() || name

/** Most names: all letters and digits of Unicode take five times as long to look through. */
const isAscii = (name: string): boolean => !/[^\0-\x7f]/.test(name)

function plainNames(
  names: ReadonlyMap<string, { readonly name: string }>,
): ReadonlyMap<string, string | readonly string[]> {
  const plainly = new Map<string, string | string[]>()
  for (const [id, { name }] of names) {
    const key = plain(name)
    const alike = plainly.get(key)
    if (typeof alike === 'object') alike.push(id)
    else plainly.set(key, alike === undefined ? id : [alike, id])
  }
  return plainly
}
