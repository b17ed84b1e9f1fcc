import type { Exchange } from '../../gem/conversation.js'
import { messageOf } from '../records/recorded-message.js'
import type { Ended } from './transactions.js'

/** A reply of more bytes is decoded only where its content is needed. */
const LONG = 256 * 1024

/**
 * The end of a primary of ours in GEM's terms: a reply that cannot be decoded is an error. `isRead`: whether its
 * content is needed.
 */
export function exchangeOf({ outcome, reply }: Ended, isRead = true): Exchange {
  if (!outcome) return { kind: 'lost' }
  if (outcome.kind === 'rejected' || outcome.kind === 'timed_out' || outcome.kind === 'lost') return outcome
  if (outcome.kind !== 'replied' || !reply) return { kind: outcome.kind === 'aborted' ? 'aborted' : 'error' }
  const message = messageOf(reply)
  if (!isRead && message.length > LONG) return { kind: 'replied', item: undefined }
  const { item, fault } = message.decoded
  return fault === undefined ? { kind: 'replied', item } : { kind: 'error', unreadable: true }
}
