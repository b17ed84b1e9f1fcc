import type { Kind } from '../../entry.js'
import type { JournalQuery } from '../../journal.js'
import { keyMember, wordMembers } from '../segments/journal-line.js'

/** What an entry can be searched by. */
export interface Subject {
  readonly key: string
  readonly type: string
  readonly name: string
  readonly topic?: string
}

interface Key {
  readonly text: string
  /** The member of a line. */
  readonly member: string
}

/** What subjects have in common that differ in their keys alone, as those of a thousand tools: some dozens for each. */
interface Words extends Required<Omit<Subject, 'key'>> {
  /** The members of a line after the key. */
  readonly members: string
  /** The numbers of the subjects, by key. */
  readonly numbers: Map<string, number>
}

interface Entered {
  readonly key: Key
  readonly words: Words
}

type Level<Inner> = Map<string, Inner>

/** The subjects that occur in a journal, each with a number. One for all of its segments. */
export class Subjects {
  readonly #words: Level<Level<Level<Words>>> = new Map()
  readonly #keys: Level<Key> = new Map()
  readonly #all: Entered[] = []

  /** The number of a subject, given at its first use. */
  number({ key: text, type, name, topic = '' }: Subject): number {
    const known = this.#words.get(type)?.get(name)?.get(topic)?.numbers.get(text)
    if (known !== undefined) return known
    const names = entered(this.#words, type, () => new Map())
    const topics = entered(names, name, () => new Map())
    const words = entered(topics, topic, () => newWords(type, name, topic))
    const key = entered(this.#keys, text, () => ({ text, member: keyMember(text) }))
    words.numbers.set(text, this.#all.length)
    return this.#all.push({ key, words }) - 1
  }

  /** The subject of a number that was given here. */
  subject(number: number): Subject {
    const { key, words } = this.#of(number)
    const { type, name, topic } = words
    return { key: key.text, type, name, topic }
  }

  /** The members of a line that say of which subject its entry is. */
  members(number: number): string {
    const { key, words } = this.#of(number)
    return key.member + words.members
  }

  #of(number: number): Entered {
    const found = this.#all[number]
    if (found) return found
    throw new RangeError(`no subject has the number ${number}`)
  }

  /**
   * Whether a number is of the key, the topics and the kinds; what is left out does not matter. Each subject is compared
   * when it is first asked for: a query for the newest entries does not read through all subjects of the journal.
   */
  wanted({
    key,
    kinds,
    topics,
  }: Pick<JournalQuery, 'key' | 'kinds' | 'topics'>): (number: number) => boolean {
    const isWanted = (word: string): boolean =>
      key === undefined || (typeof key === 'string' ? key === word : key.has(word))
    const known = new Uint8Array(this.#all.length)
    return (number) => {
      const before = known[number]
      if (before) return before === WANTED
      const subject = this.#all[number]
      const is =
        subject !== undefined &&
        isWanted(subject.key.text) &&
        (topics?.has(subject.words.topic) ?? true) &&
        (kinds?.some((kind) => isOf(subject.words, kind)) ?? true)
      known[number] = is ? WANTED : UNWANTED
      return is
    }
  }
}

/** What is known of a subject in a query; 0 where it was not compared yet. */
const WANTED = 1
const UNWANTED = 2

const isOf = (words: Words, { type, name }: Kind): boolean =>
  words.type === type && (name === undefined || words.name === name)

const newWords = (type: string, name: string, topic: string): Words => ({
  type,
  name,
  topic,
  members: wordMembers({ type, name, topic }),
  numbers: new Map(),
})

function entered<Inner>(level: Level<Inner>, word: string, make: () => Inner): Inner {
  const known = level.get(word)
  if (known) return known
  const made = make()
  level.set(word, made)
  return made
}
