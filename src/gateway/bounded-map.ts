/** Bytes that several maps may hold together. */
export class MemoryBudget {
  constructor(public left: number) {}
}

/** What a string costs beside its characters, in bytes. */
const STRING_BYTES = 32

/** Roughly what a plain value takes in memory, in bytes. */
export function bytesOf(value: unknown): number {
  if (typeof value === 'string') return value.length + STRING_BYTES
  if (typeof value !== 'object' || value === null) return 8
  let sum = STRING_BYTES
  for (const name in value) sum += bytesOf((value as Readonly<Record<string, unknown>>)[name])
  return sum
}

/** Shared: most maps of most equipment stay empty. */
const NONE: ReadonlyMap<string, never> = new Map<string, never>()

/** A map of plain values that cannot outgrow its number of entries and the bytes it shares with others. */
export class BoundedMap<Value> implements Iterable<readonly [string, Value]> {
  #entries: Map<string, Value> | undefined
  /** Of its entries. */
  #bytes = 0

  constructor(
    private readonly most: number,
    private readonly allowance: MemoryBudget,
  ) {}

  get entries(): ReadonlyMap<string, Value> {
    return this.#entries ?? NONE
  }

  [Symbol.iterator](): Iterator<readonly [string, Value]> {
    return this.entries[Symbol.iterator]()
  }

  /** False when there is no room: the key then has no entry, not its old one. */
  set(key: string, value: Value): boolean {
    this.delete(key)
    const cost = bytesOf(key) + bytesOf(value)
    if (this.entries.size >= this.most || cost > this.allowance.left) return false
    this.#hold(cost)
    this.#entries ??= new Map()
    this.#entries.set(key, value)
    return true
  }

  delete(key: string): void {
    const value = this.#entries?.get(key)
    if (value === undefined) return
    this.#hold(-bytesOf(key) - bytesOf(value))
    this.#entries?.delete(key)
  }

  clear(): void {
    this.#hold(-this.#bytes)
    this.#entries = undefined
  }

  #hold(bytes: number): void {
    this.#bytes += bytes
    this.allowance.left -= bytes
  }
}
