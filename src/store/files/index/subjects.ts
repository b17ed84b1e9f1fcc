import type { Kind } from '../../entry.js'
import type { JournalQuery } from '../../journal.js'
import { subjectMembers } from '../segments/journal-line.js'

/** What an entry can be searched by. */
export interface Subject {
  readonly key: string
  readonly type: string
  readonly name: string
  readonly topic?: string
}

type Level<Inner> = Map<string, Inner>

/** The subjects that occur in a journal, each with a number. One for all of its segments. */
export class Subjects {
  readonly #numbers: Level<Level<Level<Level<number>>>> = new Map()
  readonly #all: Subject[] = []
  /** As they are written, of those that were written. */
  readonly #members: string[] = []

  /** The number of a subject, given at its first use. */
  number({ key, type, name, topic = '' }: Subject): number {
    const topics = entered(entered(entered(this.#numbers, key), type), name)
    const known = topics.get(topic)
    if (known !== undefined) return known
    topics.set(topic, this.#all.length)
    return this.#all.push({ key, type, name, topic }) - 1
  }

  /** The subject of a number that was given here. */
  subject(number: number): Subject {
    const found = this.#all[number]
    if (found) return found
    throw new RangeError(`no subject has the number ${number}`)
  }

  /** The members of a line that say of which subject its entry is. */
  members(number: number): string {
    this.#members[number] ??= subjectMembers(this.subject(number))
    return this.#members[number]
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
        isWanted(subject.key) &&
        (topics?.has(subject.topic ?? '') ?? true) &&
        (kinds?.some((kind) => isOf(subject, kind)) ?? true)
      known[number] = is ? WANTED : UNWANTED
      return is
    }
  }
}

/** What is known of a subject in a query; 0 where it was not compared yet. */
const WANTED = 1
const UNWANTED = 2

const isOf = (subject: Subject, { type, name }: Kind): boolean =>
  subject.type === type && (name === undefined || subject.name === name)

function entered<Inner>(outer: Level<Level<Inner>>, word: string): Level<Inner> {
  const known = outer.get(word)
  if (known) return known
  const made: Level<Inner> = new Map()
  outer.set(word, made)
  return made
}
