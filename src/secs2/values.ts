import type { JsonList } from '../kit/text/json-list.js'
import type { StepMeter } from '../kit/turns.js'
import { ARRAYS, type ValueFormat, widthOf } from './format.js'
import type { BytesItem, ValueArray } from './item.js'
import type { NumberItem } from './number-item.js'

/** One of `ARRAYS`, whatever its values are. */
interface AnyArray {
  readonly length: number
  [place: number]: number | bigint
  set(from: AnyArray): void
  slice(from: number, to: number): AnyArray
}

const MIN_ROOM = 16

/** Collects the values of one item, each of which its format holds. */
export class Values {
  #first: number | bigint | undefined
  #array: AnyArray | undefined
  #length = 0

  /** `room`: how many values there will be, where that is known. */
  constructor(
    readonly format: ValueFormat,
    private readonly room: number = MIN_ROOM,
  ) {}

  get length(): number {
    return this.#length
  }

  /** What they take on the wire. */
  get bytes(): number {
    return this.#length * widthOf(this.format)
  }

  add(value: number | bigint): void {
    if (this.#length === 0) this.#first = value
    else {
      const array = this.#array && this.#length < this.#array.length ? this.#array : this.#grow()
      array[this.#length] = value
    }
    this.#length++
  }

  /** A single value as itself, none or several as an array. */
  item(): NumberItem | BytesItem {
    const value = this.#length === 1 ? this.#first : this.#all()
    return { format: this.format, value } as NumberItem | BytesItem
  }

  #all(): ValueArray {
    const array = this.#array ?? this.#made(0)
    return (array.length === this.#length ? array : array.slice(0, this.#length)) as unknown as ValueArray
  }

  #grow(): AnyArray {
    const grown = this.#made(Math.max(this.room, 2 * this.#length))
    if (this.#array) grown.set(this.#array)
    else grown[0] = this.#first ?? 0
    this.#array = grown
    return grown
  }

  #made(length: number): AnyArray {
    return new ARRAYS[this.format](length) as unknown as AnyArray
  }
}

/** Reads `given` one by one to the values of one item, in steps. */
export function* valueSteps<F extends ValueFormat>(
  format: F,
  given: JsonList,
  read: (one: unknown, format: F, at: number) => number | bigint,
  meter: StepMeter,
): Generator<void, ReturnType<Values['item']>> {
  const values = new Values(format, given.length)
  for (let at = 0; at < given.length; at++) {
    values.add(read(given[at], format, at))
    if (meter.due(1)) yield
  }
  return values.item()
}
