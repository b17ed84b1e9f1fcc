import type { Exchange } from '../../gem/conversation.js'
import type { Outcome } from '../../hsms/outcome.js'
import { decodeBody } from '../../secs2/decode.js'

/** A reply of more bytes is decoded only where its content is needed. */
const LONG = 256 * 1024

/**
 * The end of a primary of ours in GEM's terms: a reply that cannot be decoded is an error. `isRead`: whether its
 * content is needed.
 */
export function exchangeOf(outcome: Outcome, isRead = true): Exchange {
  if (outcome.kind === 'rejected' || outcome.kind === 'timed_out' || outcome.kind === 'lost') return outcome
  if (outcome.kind !== 'replied') return { kind: outcome.kind }
  if (!isRead && outcome.reply.body.length > LONG) return { kind: 'replied', item: undefined }
  try {
    return { kind: 'replied', item: decodeBody(outcome.reply.body) }
  } catch {
    return { kind: 'error', unreadable: true }
  }
}
