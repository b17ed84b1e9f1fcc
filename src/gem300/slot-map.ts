import type { CodeVariants, UnknownCode } from './code-words.js'

/** What a carrier's slot holds (SEMI E87). */
export type SlotState =
  | 'UNDEFINED'
  | 'EMPTY'
  | 'NOT_EMPTY' // something is there, and how it lies is not known
  | 'CORRECTLY_OCCUPIED'
  | 'DOUBLE_SLOTTED'
  | 'CROSS_SLOTTED'

export const SLOT_WORDS = {
  standard: {
    0: 'UNDEFINED',
    1: 'EMPTY',
    2: 'NOT_EMPTY',
    3: 'CORRECTLY_OCCUPIED',
    4: 'DOUBLE_SLOTTED',
    5: 'CROSS_SLOTTED',
  },
  /** Equipment that tells only whether a substrate is there. */
  present: { 0: 'EMPTY', 1: 'CORRECTLY_OCCUPIED' },
} as const satisfies CodeVariants<SlotState>

/** One slot after the other, from slot 1. */
export type SlotMap = readonly (SlotState | UnknownCode)[]

const LETTERS: Readonly<Record<SlotState, string>> = {
  UNDEFINED: '?',
  EMPTY: '.',
  NOT_EMPTY: '*',
  CORRECTLY_OCCUPIED: 'o',
  DOUBLE_SLOTTED: 'D',
  CROSS_SLOTTED: 'X',
}

/** A slot map as one line, a letter for each slot from slot 1: `ooo..D`; `!` for a number without a word. */
export const slotMapText = (slots: SlotMap): string =>
  slots.map((slot) => (Object.hasOwn(LETTERS, slot) ? LETTERS[slot as SlotState] : '!')).join('')

/** The slot map that a person wrote as such a line. A RangeError with a sentence for a letter that is none of them. */
export function slotMapIn(line: string): readonly SlotState[] {
  const states = Object.keys(LETTERS) as SlotState[]
  return Array.from(line, (letter, index) => {
    const state = states.find((one) => LETTERS[one].toLowerCase() === letter.toLowerCase())
    if (state) return state
    const letters = states.map((one) => `${LETTERS[one]} ${one}`).join(', ')
    throw new RangeError(`slot ${index + 1} is "${letter}": there is ${letters}`)
  })
}

/**
 * Whether slots by the numbers of the standard may be those of equipment that tells only whether a substrate is there: 0
 * and 1 alone. `isCertain`: no slot map of the standard has both.
 */
export function mayTellPresence(slots: SlotMap): { readonly may: boolean; readonly isCertain: boolean } {
  const isOne = (state: SlotState): boolean => slots.includes(state)
  const may = isOne('EMPTY') && slots.every((slot) => slot === 'EMPTY' || slot === 'UNDEFINED')
  return { may, isCertain: may && isOne('UNDEFINED') }
}

/** What to do then. */
export const PRESENCE_HINT =
  'The equipment may send 0 for an empty slot and 1 for an occupied one: then its mapping needs the setting `slots: present` (secsctl gem300 map)'

/** The slots that hold a substrate in the right way. */
export const occupiedSlots = (slots: SlotMap): readonly number[] =>
  slots.flatMap((slot, index) => (slot === 'CORRECTLY_OCCUPIED' ? [index + 1] : []))
