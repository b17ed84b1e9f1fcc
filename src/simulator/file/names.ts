export type Id = number | string

type Note = (pointer: string, detail: string) => void

/** The entries of one kind in a model file, to be referred to by id or by name. */
export class Names {
  readonly #ids = new Map<string, string>()

  constructor(
    private readonly what: string,
    entries: readonly { readonly id: Id; readonly name?: string }[],
    private readonly note: Note,
  ) {
    for (const { id } of entries) {
      if (this.#ids.has(String(id))) note(`/${what}s`, `two have the id ${id}`)
      this.#ids.set(String(id), String(id))
    }
    const names = new Set<string>()
    for (const { id, name } of entries) {
      if (name === undefined) continue
      if (names.has(name)) note(`/${what}s`, `two have the name ${name}`)
      names.add(name)
      if (!this.#ids.has(name)) this.#ids.set(name, String(id))
    }
  }

  /** The id that is meant; undefined for nothing, and for what does not exist, which is noted. */
  find(reference: Id | undefined, pointer: string): string | undefined {
    if (reference === undefined) return undefined
    const id = this.#ids.get(String(reference))
    if (id === undefined) this.note(pointer, `there is no ${this.what} ${reference}`)
    return id
  }

  findAll(references: readonly Id[], pointer: string): string[] {
    return references.flatMap((reference, at) => this.find(reference, `${pointer}/${at}`) ?? [])
  }
}
