import { isJsonList, type JsonList } from '../../kit/text/json-list.js'
import { isFormat } from '../../secs2/format.js'
import type { Item } from '../../secs2/item.js'
import { MAX_DEPTH, MAX_ITEMS } from '../../secs2/limits.js'
import type { DataItem } from '../data-item.js'
import { type ItemView, ownFormat } from '../view.js'
import { BuildWork, type Built, TooManyItems } from './build-work.js'
import { isData, LeafError, leafSteps } from './leaf.js'

type Data = Readonly<Record<string, unknown>>

/** `CHUCKTEMP:F4`: a name, and the format of its values. A list is written as an array or object. */
const NAME_AND_FORMAT = /^(.*):([A-Z][A-Z0-9]{0,6})$/s

/** Whether each name gives its format: then exactly these items are built, also if the catalogue has the message. */
export function saysAllFormats(data: Data): boolean {
  const names = Object.keys(data)
  return names.length > 0 && names.every((name) => formatIn(name) !== undefined)
}

function formatIn(name: string): DataItem['formats'][0] | undefined {
  const format = NAME_AND_FORMAT.exec(name)?.[2]
  return format !== undefined && isFormat(format) && format !== 'L' ? format : undefined
}

/**
 * Builds, in steps, the list of the values of `data` in their order, for a message whose structure is not known. The
 * format of a value is the one that its name says, else the equipment's own for the name, else the catalogue's, else A.
 * An array is a list, or where the name says a format one item of several values; an object is a typed item or a list
 * of its own.
 */
export function* inOrderSteps(
  data: Data,
  view: ItemView,
  itemNamed: (name: string) => DataItem | undefined,
): Generator<void, Built> {
  const work = new BuildWork()
  try {
    return work.built(yield* new InOrder(view, itemNamed, work).members(data, '', 0))
  } catch (error) {
    if (!(error instanceof TooManyItems)) throw error
    const problem = { item: '', detail: `holds more than ${MAX_ITEMS} items` }
    return { item: undefined, problems: [problem], more: 0 }
  }
}

class InOrder {
  constructor(
    private readonly view: ItemView,
    private readonly itemNamed: (name: string) => DataItem | undefined,
    private readonly work: BuildWork,
  ) {}

  *members(data: Data, path: string, above: number): Generator<void, Item> {
    const items: Item[] = []
    for (const name in data) {
      const value = data[name]
      if (value === null || value === undefined) continue
      items.push(yield* this.#member(name, value, path + name, above + 1))
    }
    return { format: 'L', items }
  }

  #leaf(known: DataItem, value: unknown, view: ItemView): Generator<void, Item> {
    return leafSteps(known, value, true, view, this.work)
  }

  *#member(name: string, value: unknown, place: string, above: number): Generator<void, Item> {
    if (this.work.due(1)) yield
    try {
      const format = formatIn(name)
      if (format !== undefined)
        return yield* this.#leaf({ ...plain(name), formats: [format] }, value, { ...this.view, formats: {} })
      const known = this.itemNamed(name) ?? plain(name)
      const isOneItem = ownFormat(known, this.view) !== undefined || !known.single
      const isList = isJsonList(value) ? !isOneItem : isData(value) && !isTyped(value)
      if (!isList) return yield* this.#leaf(isData(value) ? ANYTHING : known, value, this.view)
      if (above >= MAX_DEPTH) throw new LeafError(`takes lists nested no deeper than ${MAX_DEPTH}`)
      this.work.countItem()
      if (isData(value)) return yield* this.members(value, `${place}/`, above)
      const items: Item[] = []
      for (const [at, one] of (value as JsonList).entries())
        items.push(yield* this.#member(name, one, `${place}/${at}`, above + 1))
      return { format: 'L', items }
    } catch (error) {
      if (!(error instanceof LeafError)) throw error
      this.work.report(place, () => error.message)
      return { format: 'L', items: [] }
    }
  }
}

const plain = (name: string): DataItem => ({ name, formats: ['A'], free: false, single: true, meaning: '' })
const ANYTHING: DataItem = { ...plain(''), free: true, single: false }

/** An object of one key that is a format, as typed items are. */
function isTyped(value: Data): boolean {
  const [key, ...others] = Object.keys(value)
  return key !== undefined && others.length === 0 && isFormat(key)
}
