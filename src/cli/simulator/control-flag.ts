import { Flags } from '@oclif/core'

/** The port at which a running simulator takes commands. */
export const CONTROL_FLAG = Flags.integer({
  min: 0,
  max: 65535,
  helpValue: 'PORT',
  summary: 'Take commands on this port of this machine; 0 takes a free one.',
})
