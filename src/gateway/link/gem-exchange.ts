import type { Exchange } from '../../gem/conversation.js'
import type { Outcome } from '../../hsms/outcome.js'
import { decodeBody } from '../../secs2/decode.js'

/** Bytes of a reply that is not read where nobody asks what it says. */
const LONG = 256 * 1024

/**
 * The end of a primary of ours as GEM's rules see it: a reply that cannot be read is an error. `isRead`: whether
 * anybody asks what it says.
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
