import { Flags } from '@oclif/core'

/** A flag of every command that changes something. `GatewayCommand` sends it with each call that is not a GET. */
export const REASON_FLAG = {
  reason: Flags.string({
    helpValue: 'TEXT',
    summary: 'Why you do it, for the audit: 500 characters at most.',
  }),
}
