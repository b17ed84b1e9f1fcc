/** Where the entries of one segment are and what they can be searched by: 16 bytes an entry. */
export class EntryIndex {
  /** The numbers of all subjects that occur. */
  readonly present: Set<number>
  /** The earliest and the latest time, in milliseconds since 1970: times may fall when the clock is set back. */
  earliest = Number.POSITIVE_INFINITY
  latest = Number.NEGATIVE_INFINITY

  constructor(
    public times = new Float64Array(64),
    public offsets = new Uint32Array(64),
    public subjects = new Uint32Array(64),
    /** Entries in it. The rest of the columns is unused. */
    public length = 0,
  ) {
    this.present = new Set(subjects.subarray(0, length))
    for (const time of times.subarray(0, length)) this.#widen(time)
  }

  /** Bytes of memory that the columns take. */
  get bytes(): number {
    return this.times.byteLength + this.offsets.byteLength + this.subjects.byteLength
  }

  add(time: number, offset: number, subject: number): void {
    if (this.length === this.offsets.length) this.#resize(Math.max(64, this.length * 2))
    this.times[this.length] = time
    this.offsets[this.length] = offset
    this.subjects[this.length] = subject
    this.present.add(subject)
    this.#widen(time)
    this.length++
  }

  /** The first `length` entries, in columns that have no room to spare. */
  first(length: number): EntryIndex {
    return new EntryIndex(
      this.times.slice(0, length),
      this.offsets.slice(0, length),
      this.subjects.slice(0, length),
      length,
    )
  }

  #widen(time: number): void {
    if (time < this.earliest) this.earliest = time
    if (time > this.latest) this.latest = time
  }

  #resize(capacity: number): void {
    this.times = grown(new Float64Array(capacity), this.times)
    this.offsets = grown(new Uint32Array(capacity), this.offsets)
    this.subjects = grown(new Uint32Array(capacity), this.subjects)
  }
}

function grown<Column extends Uint32Array | Float64Array>(column: Column, from: Column): Column {
  column.set(from)
  return column
}
