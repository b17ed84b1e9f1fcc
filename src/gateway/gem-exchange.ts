import type { Exchange } from '../gem/conversation.js'
import type { Outcome } from '../hsms/outcome.js'
import { decodeBody } from '../secs2/decode.js'

/** The end of a primary of ours as GEM's rules see it: a reply that cannot be read is an error. */
export function exchangeOf(outcome: Outcome): Exchange {
  if (outcome.kind === 'rejected' || outcome.kind === 'timed_out' || outcome.kind === 'lost') return outcome
  if (outcome.kind !== 'replied') return { kind: outcome.kind }
  try {
    return { kind: 'replied', item: decodeBody(outcome.reply.body) }
  } catch {
    return { kind: 'error', unreadable: true }
  }
}
