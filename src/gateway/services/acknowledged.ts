import type { Acknowledged } from './asking.js'

/** What every answer to a wish for a change has beside its code. */
export const verdictOf = ({
  accepted,
  message_id,
  reply_id,
}: Acknowledged): { readonly accepted: boolean; readonly message_id: string; readonly reply_id: string } => ({
  accepted,
  message_id,
  reply_id,
})
