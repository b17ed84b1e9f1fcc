import { numberFlag } from '../input/flags.js'

/** The port at which a running simulator takes commands. */
export const CONTROL_FLAG = numberFlag('Take commands on this port of this machine; 0 takes a free one.', {
  min: 0,
  max: 65535,
  helpValue: 'PORT',
})
