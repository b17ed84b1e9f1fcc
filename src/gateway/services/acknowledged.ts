import type { Acknowledged } from './asking.js'

/** The members that every acknowledgement of a change has besides its code. */
export const verdictOf = ({
  accepted,
  message_id,
  reply_id,
}: Acknowledged): { readonly accepted: boolean; readonly message_id: string; readonly reply_id: string } => ({
  accepted,
  message_id,
  reply_id,
})
