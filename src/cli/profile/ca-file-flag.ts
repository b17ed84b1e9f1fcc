import { textFlag } from '../input/flags.js'

/** The certificates that a profile keeps. */
export const CA_FILE_FLAG = textFlag(
  'FILE',
  'Trust only certificates that these authorities (PEM) have issued; the profile keeps a copy of the file.',
)
