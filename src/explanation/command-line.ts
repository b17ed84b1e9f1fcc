import type { NextCommand } from '../contract/error-row.js'
import { shellWord } from '../kit/shell-word.js'

/** A command as it is typed in a POSIX shell. `EQ` remains where no equipment is given. */
export const commandLine = (
  command: NextCommand,
  { equipment = 'EQ', message = 'S2F41' }: { readonly equipment?: string; readonly message?: string } = {},
): string =>
  ['secsctl', ...command]
    .map((word) => shellWord(word === 'EQ' ? equipment : word === 'SxFy' ? message : word))
    .join(' ')
