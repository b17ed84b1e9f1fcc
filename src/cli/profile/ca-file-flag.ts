import { Flags } from '@oclif/core'

/** The certificates that a profile keeps. */
export const CA_FILE_FLAG = Flags.string({
  helpValue: 'FILE',
  summary:
    'Trust only certificates that these authorities (PEM) have issued; the profile keeps a copy of the file.',
})
