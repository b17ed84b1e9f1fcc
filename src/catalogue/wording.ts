import type { DataItem } from './data-item.js'
import type { MessageDescription } from './description/message-description.js'
import type { MessageRow } from './message-row.js'

/** Who sends a message, in words. */
export const SENDERS = {
  host: 'host to equipment',
  equipment: 'equipment to host',
  both: 'either way',
} as const satisfies Record<MessageRow['direction'], string>

/** What a W-bit asks for, in words. */
export const REPLIES = {
  required: 'reply required',
  optional: 'reply optional',
  forbidden: 'no reply',
} as const satisfies Record<MessageRow['wBit'], string>

/** `S2F41`. */
export const sxfyOf = ({ stream, function: fn }: MessageDescription): string => `S${stream}F${fn}`

/** `Host Command Send`: the name after `S2F41`. */
export const titleOf = ({ name }: MessageDescription): string => name.slice(name.indexOf(' ') + 1)

/** Who sends a message, whichever of its forms. */
export function directionOf({ forms }: MessageDescription): MessageRow['direction'] {
  const [direction = 'both', ...others] = new Set(forms.map((form) => form.direction))
  return others.length === 0 ? direction : 'both'
}

/** Whether a primary asks for a reply, in words; empty for a secondary. */
export const replyWords = ({ function: fn, forms }: MessageDescription): string =>
  fn % 2 === 0 ? '' : REPLIES[forms[0]?.wBit ?? 'forbidden']

/** The formats of an item, the one to build first: `U4, also U2 U1`. */
export function formatsText({ free, formats }: DataItem): string {
  const [first, ...others] = formats
  if (free) return 'any'
  return others.length === 0 ? first : `${first}, also ${others.join(' ')}`
}
