import { Problem, type ProblemExtra } from '../../contract/errors.js'
import type { ControlState } from '../../gem/control-states.js'
import type { SecsMessage } from '../../gem/conversation.js'
import type { Session } from './session.js'
import type { Ended, Transaction } from './transactions.js'

/** The parts of a session that a problem's text describes. */
type Spoken = Pick<Session, 'current' | 'reading' | 'signs' | 'lineNoise' | 'host'>

const REJECT_REASONS: Readonly<Record<number, string>> = {
  1: 'it does not support the SType',
  2: 'it does not support the PType',
  3: 'the transaction was not open',
  4: 'it was not selected',
}

/** For an aborted transaction: the verb for the control state as a possible reason. */
const OFFLINE_SAYS: { readonly [State in ControlState]: string } = {
  UNKNOWN: 'may be',
  EQUIPMENT_OFFLINE: 'is',
  ATTEMPT_ONLINE: 'is',
  HOST_OFFLINE: 'is',
  // The last known state: the abort may be the first sign of a change.
  ONLINE_LOCAL: 'may be',
  ONLINE_REMOTE: 'may be',
}

/** The end of a caller's primary, once it is on disk. Throws the problem that it is for the caller. */
export async function finished(transaction: Transaction, session: Spoken, sent: SecsMessage): Promise<Ended> {
  // As it was called when the message was sent: it may be renamed, or removed, meanwhile.
  const { name } = session.current()
  const ended = await transaction.ended
  const problem = problemOf(ended, session, sent, name)
  if (!problem) return ended
  const message_id = String(transaction.sent.seq)
  throw new Problem(problem.code, problem.message, { ...problem.extra, message_id })
}

/** The problem that a primary's end is for its caller; undefined when it got its reply. */
function problemOf(ended: Ended, session: Spoken, sent: SecsMessage, name: string): Problem | undefined {
  const { outcome } = ended
  if (!outcome || outcome.kind === 'replied') return undefined
  const { id, communication } = session.current()
  const extra: ProblemExtra = ended.reply ? { reply_id: String(ended.reply.seq) } : {}
  const { catalogue } = session.reading()
  const message = catalogue.name(sent.stream, sent.function)
  const { controlState, communicationState, refusesOnline, hasConfirmedPresence } = session.host
  switch (outcome.kind) {
    case 'timed_out': {
      // Equipment that communicates has replied under this device ID, and a bad line explains silence as well.
      const noise = session.lineNoise
      const hint = noise
        ? ` But ${noise}.`
        : communicationState === 'COMMUNICATING'
          ? ''
          : ' Equipment that stays silent often has another device ID.'
      return new Problem(
        'reply_timeout',
        `${name} did not reply to ${message} in time (${session.signs}).${hint}`,
        extra,
      )
    }
    case 'aborted': {
      const mayBeOffline = communication !== 'none' && !refusesOnline && !hasConfirmedPresence
      const why =
        communication === 'none'
          ? 'It does not know the message, or does not take it now.'
          : refusesOnline
            ? 'It is offline, and has refused to go online for its host (ONLACK 1): its operator has to set it online there.'
            : hasConfirmedPresence
              ? 'It replied to S1F1 on this connection: it does not know the message, or does not take it now.'
              : `It ${OFFLINE_SAYS[controlState]} offline. Look at its control state, and ask it to go online.`
      return new Problem(
        'transaction_aborted',
        `${name} aborted ${message} with S${outcome.reply.stream}F0. ${why}`,
        mayBeOffline ? { ...extra, next: [{ operation: 'goOnline', parameters: { id } }] } : extra,
      )
    }
    case 'rejected':
      return new Problem(
        'message_rejected',
        `${name} rejected ${message} (Reject.req, reason ${outcome.reason}: ${REJECT_REASONS[outcome.reason] ?? 'reserved'}).`,
        extra,
      )
    case 'error': {
      const { stream, function: fn } = outcome.reply
      return new Problem(
        'equipment_error',
        `${name} replied to ${message} with ${catalogue.name(stream, fn)}.`,
        {
          ...extra,
          ...(stream === 9 && { s9: `S9F${fn}` }),
        },
      )
    }
    case 'lost':
      return new Problem(
        'connection_lost',
        `The connection to ${name} ended before ${ended.left ? `it replied to ${message}. Whether it acted on it is not known.` : `${message} could leave. It was not sent.`}`,
        extra,
      )
  }
}
