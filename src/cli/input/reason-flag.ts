import { textFlag } from './flags.js'

/** A flag of every command that changes something. `GatewayCommand` sends it with each call that is not a GET. */
export const REASON_FLAG = {
  reason: textFlag('TEXT', 'Why you do it, for the audit: 500 characters at most.'),
}
