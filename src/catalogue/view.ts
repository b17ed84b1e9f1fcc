import { type Format, isFormat } from '../secs2/format.js'
import type { TextCodec } from '../secs2/text.js'
import type { DataItem } from './data-item.js'
import type { Sender } from './message-row.js'

/** How to read and build the items of one equipment. */
export interface ItemView {
  /** Formats of named items that are this equipment's own, such as `{ SVID: 'U2' }`. */
  readonly formats?: Readonly<Record<string, string>>
  /** The encoding of its text; Latin-1 when left out. */
  readonly text?: TextCodec
}

/** How to read or build one message of one equipment. */
export interface View extends ItemView {
  /** Who sends the message: some look different from either side. */
  readonly sender: Sender
}

const sides = new WeakMap<ItemView, Readonly<Record<Sender, View>>>()

/** The view for messages of one side. Made once: to add a member to a copy takes V8 longer than to read a short message. */
export function sentBy<Of extends ItemView, From extends Sender>(
  view: Of,
  sender: From,
): Of & { readonly sender: From } {
  let both = sides.get(view)
  if (!both) {
    both = { host: { ...view, sender: 'host' }, equipment: { ...view, sender: 'equipment' } }
    sides.set(view, both)
  }
  return both[sender] as Of & { readonly sender: From }
}

/** The equipment's own format of an item. L is ignored: named values cannot be written as a list. */
export function ownFormat(item: DataItem, view: ItemView): Exclude<Format, 'L'> | undefined {
  const own = view.formats && Object.hasOwn(view.formats, item.name) ? view.formats[item.name] : undefined
  return own !== undefined && isFormat(own) && own !== 'L' ? own : undefined
}
