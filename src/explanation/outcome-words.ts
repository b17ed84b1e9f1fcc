import type { Outcome } from '../contract/messages.js'
import { OUTCOMES } from '../contract/messages.js'
import { ROLES, type Role } from '../contract/roles.js'
import { advice, type Entry, type Explanation } from './explanation.js'

type Words = Pick<Explanation, 'meaning' | 'next' | 'commands'>

const words = (meaning: string, next: string, ...commands: readonly string[]): Words => ({
  meaning,
  ...advice(next, ...commands),
})

const LAST = 'secsctl messages list --equipment EQ --limit 5'

const OUTCOME: Readonly<Record<Outcome, Words>> = {
  pending: words(
    'The primary has left, or is about to, and waits for its reply.',
    'It ends within T3. One that is pending after a crash is settled when the gateway starts again.',
    LAST,
  ),
  replied: words(
    'The reply came.',
    'Read it: an acknowledge code in it may still say no.',
    'secsctl messages show ID',
  ),
  timed_out: words(
    'No reply came within T3.',
    'The equipment may have acted on it all the same. Look before you send it again.',
    'secsctl explain reply_timeout',
    LAST,
  ),
  aborted: words(
    'The equipment answered SxF0: it will not do this now.',
    'It is often offline. Ask it to go online.',
    'secsctl explain transaction_aborted',
    'secsctl equipment online EQ',
  ),
  rejected: words(
    'The equipment answered Reject.req: its HSMS refused the message.',
    'The reason says why.',
    'secsctl explain Reject 4',
    LAST,
  ),
  error: words(
    'The equipment answered with stream 9, or with a function that is not the reply.',
    'See which: the message that ended it is in the list.',
    'secsctl messages show ID',
    'secsctl explain S9F7',
  ),
  lost: words(
    'The connection ended before the reply came, or before the message had left.',
    'Whether the equipment acted on a message that had left is not known. Look before you send it again.',
    'secsctl events list --equipment EQ --type connection --limit 5',
    LAST,
  ),
  not_expected: words(
    'The primary was sent without W-bit: no reply is due.',
    'Nothing is wrong here.',
    'secsctl messages show ID',
  ),
}

const ROLE: Readonly<Record<Role, Words>> = {
  viewer: words('Reads everything, and follows events.', 'Changes nothing.', 'secsctl whoami'),
  operator: words(
    'A viewer who also connects, disconnects, sends commands and acknowledges alarms.',
    'An engineer sends messages; an administrator can change the role.',
    'secsctl users update EMAIL --role engineer',
  ),
  engineer: words(
    'An operator who also sends messages, and adds, changes and removes equipment.',
    'An administrator can change the role.',
    'secsctl users update EMAIL --role admin',
  ),
  admin: words('An engineer who also manages users.', 'One of them has to stay.', 'secsctl users list'),
}

const entries = <Word extends string>(
  all: readonly Word[],
  kind: string,
  table: Readonly<Record<Word, Words>>,
): Entry[] => all.map((word) => ({ word, kind, facts: [], also: [], ...table[word] }))

/** What becomes of a primary, and what users may do. */
export const outcomeWords = (): readonly Entry[] => entries(OUTCOMES, 'outcome of a message', OUTCOME)
export const roleWords = (): readonly Entry[] => entries(ROLES, 'role of a user', ROLE)
