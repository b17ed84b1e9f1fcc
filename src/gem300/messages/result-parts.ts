import { type Item, itemsIn, L } from '../../secs2/item.js'
import { type BodyPart, code, flag, list, listItems, maybeWhole, record, text } from './body-part.js'

/** One thing that was wrong. */
const ERROR = record({ ERRCODE: maybeWhole('ERRCODE'), ERRTEXT: text('ERRTEXT') })

/**
 * All that was wrong: a list of pairs. One pair in its place is read too, and an empty entry passed over; both are what
 * equipment sends.
 */
const errorsOf = <Content>(one: BodyPart<Content>): BodyPart<readonly Content[]> => {
  const all = list(one)
  return {
    build: all.build,
    read(item, view, at) {
      const items = listItems(item, at)
      if (items.length > 0 && items.every(({ format }) => format !== 'L')) return [one.read(item, view, at)]
      return all.read(L(...items.filter((inner) => itemsIn(inner).length > 0)), view, at)
    },
  }
}

export const ERRORS = errorsOf(ERROR)

export const PORT_ERRORS = errorsOf(
  record({ PTN: maybeWhole('PTN'), ERRCODE: maybeWhole('ERRCODE'), ERRTEXT: text('ERRTEXT') }),
)

/** Of S16F28: one pair, or an empty list. */
const ONE_ERROR: BodyPart<ReturnType<typeof ERRORS.read>> = {
  build: ([first], view, at) => (first ? ERROR.build(first, view, at) : L()),
  read: ERRORS.read,
}

/** The result of a request about process jobs: ACKA true is done. */
export const JOB_RESULT = record({ ACKA: flag('ACKA'), ERRORS })
export const CONTROL_JOB_RESULT = record({ ACKA: flag('ACKA'), ERRORS: ONE_ERROR })

const OBJACK_WORDS = { 0: 'DONE', 1: 'ERROR' } as const
export const OBJECT_RESULT = record({
  OBJACK: code<'DONE' | 'ERROR'>('OBJACK', OBJACK_WORDS),
  ERRORS,
})

/** A pair in a list of pairs, of which some equipment leaves out the list where there is one pair. */
export const pairs = <Content>(pair: BodyPart<Content>): BodyPart<readonly Content[]> => {
  const all = list(pair)
  return {
    build: all.build,
    read(item, view, at) {
      const [first] = itemsIn(item)
      const isPair = first !== undefined && first.format !== 'L'
      return isPair ? [pair.read(item, view, `${at}/0`)] : all.read(item, view, at)
    },
  }
}

/** The item, or undefined where it is an empty list: of what may be left out. */
export const maybe = <Content>(part: BodyPart<Content>): BodyPart<Content | undefined> => ({
  build: (content, view, at) => (content === undefined ? L() : part.build(content, view, at)),
  read: (item, view, at) => (isNothing(item) ? undefined : part.read(item, view, at)),
})

const isNothing = (item: Item): boolean => item.format === 'L' && item.items.length === 0
