import type { Interfaces } from '@oclif/core'
import { wrongUsage } from '../errors/failure.js'
import { SEVERAL_EQUIPMENT } from './arguments.js'
import { textsFlag } from './flags.js'
import { EQUIPMENT_FLAG } from './list-flags.js'

/** Beside the argument of the same name. */
const SAME_AS_ARGUMENT = textsFlag('EQ', 'The same as the argument EQUIPMENT.')

/** Beside the flag of the same name. */
const SAME_AS_FLAG = { ...SEVERAL_EQUIPMENT, description: 'The same as --equipment.' }

interface Parts {
  readonly args: Interfaces.ArgInput
  readonly flags: Interfaces.FlagInput
  readonly strict?: boolean
}

/**
 * A command that names equipment takes it as a word and as `--equipment`, whichever of the two it says itself. Where its
 * words name something else, such as a file, `--equipment` alone remains.
 */
export function bothWays<P extends Parts>(parts: P): P {
  const { args, flags } = parts
  if (args['equipment'] && !flags['equipment'])
    return { ...parts, flags: { ...flags, equipment: SAME_AS_ARGUMENT } }
  if (flags['equipment'] === EQUIPMENT_FLAG && Object.keys(args).length === 0)
    return { ...parts, args: { equipment: SAME_AS_FLAG }, strict: false }
  return parts
}

/** The words of a command with equipment where the command itself expects it. */
export function equipmentInPlace(words: readonly string[], { args, flags }: Parts): string[] {
  const isArgument = flags['equipment'] === SAME_AS_ARGUMENT
  if (!isArgument && args['equipment'] !== SAME_AS_FLAG) return [...words]
  const { names, plain, others, rest, given } = sorted(words, flags)
  if (!isArgument)
    return [...others, ...[...names, ...plain].flatMap((name) => ['--equipment', name]), ...rest]
  if (names.length === 0) return [...words]
  // Of alarms and events --all means what the equipment has.
  const other = ['selector', ...(args['alarm'] || args['event'] ? [] : ['all'])].find((name) =>
    given.has(name),
  )
  if (other !== undefined) throw wrongUsage(`--equipment and --${other} do not go together`)
  const isAlone = Object.keys(args).length === 1
  const place = Object.keys(args).indexOf('equipment')
  const named = isAlone ? names : [names.join(',')]
  return [...plain.slice(0, place), ...named, ...plain.slice(place), ...others, ...rest]
}

/** Words by what they are: values of `--equipment`, arguments, other flags with their values, and what follows `--`. */
function sorted(words: readonly string[], flags: Interfaces.FlagInput) {
  const end = words.includes('--') ? words.indexOf('--') : words.length
  const names: string[] = []
  const plain: string[] = []
  const others: string[] = []
  const given = new Set<string>()
  for (let at = 0; at < end; at++) {
    const word = words[at] ?? ''
    const [, long, char, value] = /^(?:--([\w-]+)|-(\w))(=?[\s\S]*)$/.exec(word) ?? []
    const name = long ?? Object.keys(flags).find((one) => char !== undefined && flags[one]?.char === char)
    if (name !== undefined) given.add(name)
    const isSplit = value === '' && flags[name ?? '']?.type === 'option' && at + 1 < end
    const next = isSplit ? words[++at] : undefined
    if (name === 'equipment' && (isSplit || value !== '')) names.push(next ?? value?.slice(1) ?? '')
    else if (value !== undefined) others.push(word, ...(next === undefined ? [] : [next]))
    else plain.push(word)
  }
  return { names, plain, others, rest: words.slice(end), given }
}
