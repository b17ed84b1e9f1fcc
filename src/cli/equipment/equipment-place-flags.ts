import { Flags } from '@oclif/core'

/** Where simulated equipment is: it listens, or dials the gateway. */
export const HOST_FLAG = Flags.string({
  default: '127.0.0.1',
  helpValue: 'ADDRESS',
  summary: 'Address to listen on.',
})

export const PORT_FLAG = Flags.integer({
  default: 5000,
  min: 0,
  max: 65535,
  helpValue: 'N',
  summary: 'Port to listen on; 0 takes a free one.',
})

export const ACTIVE_FLAG = Flags.string({
  helpValue: 'HOST:PORT',
  summary: 'Dial the gateway there instead of listening.',
})
