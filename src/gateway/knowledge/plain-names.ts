/** Names that are looked up before an index is built: event reports ask for one, and an index of 20,000 takes long. */
const FEW = 8

/** Identifiers by name, independent of case and punctuation. */
export class PlainNames {
  /** Names without case and punctuation, with their identifiers: mostly one each, of up to 20,000 names. */
  #plainly: ReadonlyMap<string, string | readonly string[]> | undefined
  /** Names that were looked up since `forget`. */
  #lookups = 0
  /** The last name that was looked up, and its identifiers: each event report asks for the same one. */
  #last: { readonly name: string; readonly ids: readonly string[] } | undefined

  constructor(private readonly names: () => ReadonlyMap<string, { readonly name: string }>) {}

  /** Drops the index: the names have changed. */
  forget(): void {
    this.#plainly = undefined
    this.#lookups = 0
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
    if (++this.#lookups > FEW) this.#plainly ??= plainNames(this.names())
    const plainly = plain(name)
    const alike = this.#plainly ? [this.#plainly.get(plainly) ?? []].flat() : alikeIn(this.names(), plainly)
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

/** Letters of either case differ in it. */
const LOWER = 0x20
const isLetterOrDigit = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) || ((code | LOWER) >= 0x61 && (code | LOWER) <= 0x7a)

/** Whether a name with this character at one end cannot be one that has the other there when it is plain. */
const isOther = (code: number, plainCode: number): boolean =>
  plainCode <= 0x7f && isLetterOrDigit(code) && (code | LOWER) !== plainCode

/** The identifiers of a plain name. Most names differ in their first or last letter. */
function alikeIn(names: ReadonlyMap<string, { readonly name: string }>, plainly: string): readonly string[] {
  const [first, last] = [plainly.charCodeAt(0), plainly.charCodeAt(plainly.length - 1)]
  const alike: string[] = []
  names.forEach(({ name }, id) => {
    if (isOther(name.charCodeAt(0), first) || isOther(name.charCodeAt(name.length - 1), last)) return
    if (plain(name) === plainly) alike.push(id)
  })
  return alike
}

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
