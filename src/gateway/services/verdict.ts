import type { Fault } from '../../contract/errors.js'
import { Problem } from '../../contract/errors.js'
import type { Acknowledged } from './asking.js'

/** The members that the reply to a change has, with the acknowledge code under its own name. */
type Verdict<Code extends string> = Pick<Acknowledged, 'accepted' | 'message_id' | 'reply_id'> &
  Record<Code, number> &
  Record<`${Code}_text`, string>

/** What an acknowledgement says, as members such as `ackc10` and `ackc10_text`. */
export const verdict = <Code extends string>(
  code: Code,
  { accepted, code: value, text, message_id, reply_id }: Acknowledged,
): Verdict<Code> =>
  ({ accepted, [code]: value, [`${code}_text`]: text, message_id, reply_id }) as Verdict<Code>

/** Throws `invalid_request` unless exactly one of two members of the body is given. */
export function requireOne(
  [one, isOneGiven]: readonly [name: string, isGiven: boolean],
  [other, isOtherGiven]: readonly [name: string, isGiven: boolean],
  detail = `Give either ${one} or ${other}.`,
): void {
  if (isOneGiven !== isOtherGiven) return
  const fault: Fault = {
    pointer: `/${one}`,
    detail: isOneGiven ? `may not stand beside ${other}` : `is required without ${other}`,
  }
  throw new Problem('invalid_request', detail, { errors: [fault] })
}
