import { textFlag } from './flags.js'

/** A flag of every command that changes something. `GatewayCommand` sends it with each call that is not a GET. */
export const REASON_FLAG = {
  reason: textFlag('TEXT', 'Recorded in the audit: why you run this command. At most 500 characters.'),
}
