/** Names of one kind, found however they are spelled. Made when first asked for after `forget`. */
export class PlainNames {
  /** Names without case and punctuation, with their identifiers. */
  #plainly: ReadonlyMap<string, readonly string[]> | undefined

  constructor(private readonly names: () => ReadonlyMap<string, { readonly name: string }>) {}

  /** The names have changed. */
  forget(): void {
    this.#plainly = undefined
  }

  /**
   * The identifier of a name; where none is spelled so, of one that differs in case and punctuation alone.
   * Undefined where several have the name: which is meant is not guessed.
   */
  idOf(name: string): string | undefined {
    const [found, another] = this.idsOf(name)
    return another === undefined ? found : undefined
  }

  /** The identifiers of all that the name may mean. */
  idsOf(name: string): readonly string[] {
    this.#plainly ??= plainNames(this.names())
    const alike = this.#plainly.get(plain(name)) ?? []
    const same = alike.filter((id) => this.names().get(id)?.name === name)
    return same.length > 0 ? same : alike
  }
}

const plain = (name: string): string => name.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase() || name

function plainNames(
  names: ReadonlyMap<string, { readonly name: string }>,
): ReadonlyMap<string, readonly string[]> {
  const plainly = new Map<string, string[]>()
  for (const [id, { name }] of names) {
    const alike = plainly.get(plain(name))
    if (alike) alike.push(id)
    else plainly.set(plain(name), [id])
  }
  return plainly
}
