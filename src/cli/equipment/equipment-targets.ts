import type { Command } from '@oclif/core'
import type { Equipment } from '../../contract/equipment.js'
import { shellWord } from '../../kit/shell-word.js'
import { namePattern } from '../../kit/text/name-pattern.js'
import { Failure } from '../errors/failure.js'
import { required, YES } from '../input/arguments.js'
import { switchFlag } from '../input/flags.js'
import { ASKING_FLAGS, TRANSACTION_FLAGS } from '../messages/transaction-flags.js'
import type { Column } from '../output/output.js'
import { byName, equipmentNamed, type Named } from './equipment-name.js'
import { SELECTOR_FLAG } from './label-flags.js'

/** The first argument of a command that also takes several equipments. */
export const TARGET_ARGUMENT = required(
  "Name, id, or the beginning of one; several with commas between them, or a pattern such as 'etch-*'. Leave it out if you use --selector, or --all for all equipment.",
)

/** The same where no argument follows: several may be given. */
export const TARGET_ARGUMENTS = required(
  "Names, ids, beginnings of them, or patterns such as 'etch-*'. Leave them out if you use --selector or --all.",
)

export const ALL_EQUIPMENT = switchFlag('All equipment that is registered.')

export const LIST_TARGETS = switchFlag('List the selected equipment, and do nothing.')

/** Flags of a command that asks several equipments and changes nothing. */
export const TARGET_FLAGS = { selector: SELECTOR_FLAG, all: ALL_EQUIPMENT }

/** Flags of a command that changes something in several equipments. */
export const CHANGE_FLAGS = { ...TARGET_FLAGS, yes: YES, 'dry-run': LIST_TARGETS }

/** Flags of a command that asks equipment by a message. */
export const READS = { ...ASKING_FLAGS, ...TARGET_FLAGS }

/** Flags of a command that sends equipment a message that changes something. */
export const CHANGES = { ...TRANSACTION_FLAGS, ...CHANGE_FLAGS }

/** Whether `text` may mean several equipments: a list or a pattern. An equipment may have such a name, too. */
export const mayBeSeveral = (text: string): boolean => /[,*?]/.test(text)

/** The equipment that names, and patterns with `*` and `?`, mean; each one once. */
export function equipmentMatching<T extends Named>(
  given: readonly string[],
  all: readonly T[],
): readonly T[] {
  const found = given.flatMap((text) => {
    const exact = all.find(({ id, name }) => text === id || text.normalize() === name.normalize())
    if (exact) return exact
    if (text.includes(',')) {
      const parts = text.split(',').map((part) => part.trim())
      return equipmentMatching(
        parts.filter((part) => part !== ''),
        all,
      )
    }
    if (!mayBeSeveral(text)) return equipmentNamed(text, all)
    const pattern = namePattern(text)
    const matching = all.filter(({ name }) => pattern.test(name))
    if (matching.length === 0)
      throw new Failure('missing', `no equipment matches '${text}'`, 'secsctl equipment list')
    return byName(matching)
  })
  return [...new Set(found)]
}

export const TARGET_COLUMNS: readonly Column<Equipment>[] = [
  { title: 'EQUIPMENT', text: ({ name }) => name },
  { title: 'CONNECTION', text: ({ connection_state }) => connection_state },
  { title: 'COMMUNICATION', text: ({ communication_state }) => communication_state },
]

export type Token =
  | { readonly type: 'arg'; readonly input: string }
  | { readonly type: 'flag'; readonly flag: string; readonly input: string }

/** Flags that change how a command runs, and not its effect. */
const HOW = [
  ...['selector', 'all', 'yes', 'dry-run', 'reason', 'idempotency-key', 'timeout', 'watch', 'count'],
  ...['url', 'profile', 'output', 'json', 'no-input', 'columns', 'sort'],
]

/** The longest text of a question about several equipments, in characters. */
const MAX_QUESTION = 160

/** What a command about several equipments does to each, such as `KRF-600 ./krf-600.txt --verify`. */
export function wordsAboutAll(
  raw: readonly Token[],
  { flags, args }: Pick<typeof Command, 'flags' | 'args'>,
): string {
  const words = raw.flatMap((token) => (token.type === 'arg' ? [token.input] : []))
  const given = raw.flatMap((token) => {
    if (token.type === 'arg' || HOW.includes(token.flag)) return []
    return flags[token.flag]?.type === 'boolean' ? [`--${token.flag}`] : [`--${token.flag}`, token.input]
  })
  const others = args['equipment'] === TARGET_ARGUMENTS ? [] : words.slice(1)
  const text = [...others, ...given].map(shellWord).join(' ')
  return text.length > MAX_QUESTION ? `${text.slice(0, MAX_QUESTION)}...` : text
}
