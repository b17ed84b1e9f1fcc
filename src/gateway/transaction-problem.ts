import { Problem, type ProblemExtra } from '../contract/errors.js'
import type { SecsMessage } from '../gem/conversation.js'
import type { Session } from './session.js'
import type { Ended } from './transactions.js'

const REJECT_REASONS: Readonly<Record<number, string>> = {
  1: 'it does not support the SType',
  2: 'it does not support the PType',
  3: 'the transaction was not open',
  4: 'it was not selected',
}

/** The problem that a primary's end is for its caller; undefined when it was answered. */
export function problemOf(ended: Ended, session: Session, sent: SecsMessage): Problem | undefined {
  const { outcome } = ended
  if (!outcome || outcome.kind === 'replied') return undefined
  const { name } = session.current()
  const extra: ProblemExtra = ended.reply ? { reply_id: String(ended.reply.seq) } : {}
  const { catalogue } = session.reading()
  const message = catalogue.name(sent.stream, sent.function)
  const { controlState } = session.host
  switch (outcome.kind) {
    case 'timed_out':
      return new Problem(
        'reply_timeout',
        `${name} did not reply to ${message} in time (${session.signs}). Equipment that stays silent often has another device ID.`,
        extra,
      )
    case 'aborted': {
      const offline = ['UNKNOWN', 'EQUIPMENT_OFFLINE', 'HOST_OFFLINE'].includes(controlState)
      const hint = offline ? ' It may be offline: S1F17 asks it to go online.' : ''
      return new Problem(
        'transaction_aborted',
        `${name} aborted ${message} with S${outcome.reply.stream}F0.${hint}`,
        extra,
      )
    }
    case 'rejected':
      return new Problem(
        'message_rejected',
        `${name} rejected ${message} (Reject.req, reason ${outcome.reason}: ${REJECT_REASONS[outcome.reason] ?? 'reserved'}).`,
        extra,
      )
    case 'error':
      return new Problem(
        'equipment_error',
        `${name} answered ${message} with ${catalogue.name(outcome.reply.stream, outcome.reply.function)}.`,
        extra,
      )
    case 'lost':
      return new Problem(
        'connection_lost',
        `The connection to ${name} ended before ${ended.left ? `it replied to ${message}. Whether it acted on it is not known.` : `${message} could leave. It was not sent.`}`,
        extra,
      )
  }
}
