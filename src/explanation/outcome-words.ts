import type { Role } from '../contract/roles.js'
import type { Outcome } from '../contract/topics/messages.js'
import { type Entry, entriesOf } from './explanation.js'

const OUTCOME: Readonly<Record<Outcome, string>> = {
  pending: `The primary was sent, or is about to be sent, and waits for its reply.
    It ends within T3. One that is pending after a crash is settled when the gateway starts again.
    secsctl messages list --equipment EQ --limit 5`,
  replied: `The reply came.
    Read it: an acknowledge code in it may still say no.
    secsctl messages show ID`,
  timed_out: `No reply came within T3.
    The equipment may have acted on it all the same. Look before you send it again.
    secsctl explain reply_timeout
    secsctl messages list --equipment EQ --limit 5`,
  aborted: `The equipment replied SxF0: it does not do this now.
    It is often offline. Ask it to go online.
    secsctl explain transaction_aborted
    secsctl equipment online EQ`,
  rejected: `The equipment replied Reject.req: its HSMS refused the message.
    The reason says why.
    secsctl explain Reject 4
    secsctl messages list --equipment EQ --limit 5`,
  error: `The equipment replied with stream 9, or with a function that is not the reply.
    See which: the message that ended it is in the list.
    secsctl messages show ID
    secsctl explain S9F7`,
  lost: `There is no reply: the connection ended before it, or the equipment sent the message for another device ID.
    Whether the equipment acted on a message of the gateway is not known. Look before you send it again.
    secsctl events list --equipment EQ --type connection --limit 5
    secsctl messages list --equipment EQ --limit 5`,
  not_sent: `The message was recorded and never left: the connection ended before, or the store took too long.
    The equipment has not seen it. Send it again.
    secsctl messages list --equipment EQ --limit 5
    secsctl daemon status`,
  not_expected: `The primary was sent without W-bit: no reply is due.
    Nothing is wrong here, unless S9F7 follows, which the message then shows: the equipment may want the W-bit.
    secsctl messages show ID`,
}

const ROLE: Readonly<Record<Role, string>> = {
  viewer: `Reads everything, and follows events.
    Changes nothing.
    secsctl whoami`,
  operator: `A viewer who also connects, disconnects, sends commands, sets limits and the spool, and acknowledges alarms.
    An engineer sends messages; an administrator can change the role.
    secsctl users update EMAIL --role engineer`,
  engineer: `An operator who also sends messages, and adds, changes and removes equipment.
    An administrator can change the role.
    secsctl users update EMAIL --role admin`,
  admin: `An engineer who also manages users.
    One of them has to stay.
    secsctl users list`,
}

const LOGIN: Readonly<Record<string, string>> = {
  break_glass_login: `A local administrator has logged in with a password, although users of this gateway sign on with company accounts.
    This is for times when the identity provider cannot be reached. Ask that administrator; the audit says from where.
    secsctl audit list --action login --since 1d
    secsctl doctor`,
}

/** The outcomes of a primary, the roles of users, and the event of a login with a password. */
export const OUTCOME_WORDS: readonly Entry[] = entriesOf('outcome of a message', OUTCOME)
export const ROLE_WORDS: readonly Entry[] = entriesOf('role of a user', ROLE)
export const LOGIN_WORDS: readonly Entry[] = entriesOf('event', LOGIN)
