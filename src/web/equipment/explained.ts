import type { Entry, Explanation } from '../../explanation/explanation.js'
import { FAULT_WORDS } from '../../explanation/fault-words.js'
import { STATE_WORDS } from '../../explanation/state-words.js'
import { TAP_WORDS } from '../../explanation/tap-words.js'
import { TIMER_WORDS } from '../../explanation/timer-words.js'

/** Loaded when something is explained. */
const ENTRIES: readonly Entry[] = [...STATE_WORDS, ...FAULT_WORDS, ...TAP_WORDS, ...TIMER_WORDS]

const keyOf = (word: string): string => word.toUpperCase().replace(/[\s_.-]+/g, ' ')

/** What a state, a fault or a timer means; nothing for a word that is not known. */
export function explained(word: string): readonly Explanation[] {
  const key = keyOf(word)
  return ENTRIES.filter((entry) => [entry.word, ...entry.also].some((known) => keyOf(known) === key))
}
