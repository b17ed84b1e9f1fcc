import type { NextCommand } from '../contract/errors.js'
import { shellWord } from '../kit/shell-word.js'

/** A command as it is typed in a POSIX shell. `EQ` remains where no equipment is given. */
export function commandLine(
  command: NextCommand,
  { equipment = 'EQ', message = 'S2F41' }: { readonly equipment?: string; readonly message?: string } = {},
): string {
  const words = command.map((word) => (word === 'EQ' ? equipment : word === 'SxFy' ? message : word))
  const at = command.indexOf('EQ')
  const isFlag = command[at - 1]?.startsWith('--') === true
  if (at < 0 || isFlag || !equipment.startsWith('-')) return ['secsctl', ...words].map(shellWord).join(' ')
  // A name that begins with a hyphen is an argument after `--` only, and flags stand before that.
  const others = words.slice(at + 1)
  const firstFlag = others.findIndex((word) => word.startsWith('--'))
  const end = firstFlag < 0 ? others.length : firstFlag
  const [behind, flags] = [others.slice(0, end), others.slice(end)]
  return ['secsctl', ...words.slice(0, at), ...flags, '--', equipment, ...behind].map(shellWord).join(' ')
}
