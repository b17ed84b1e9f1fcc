import { textCodec } from '../../secs2/text.js'
import { type Catalogue, CatalogueError } from '../catalogue.js'
import type { MessageRow, Sender } from '../message-row.js'
import type { SiteFault } from './site-faults.js'

/** Faults between a message and its reply, or its primary. */
export function replyFaults(catalogue: Catalogue, row: MessageRow, pointer: string): SiteFault[] {
  const { stream, function: fn, wBit, direction } = row
  const isPrimary = fn % 2 === 1
  const other = isPrimary ? fn + 1 : fn - 1
  const name = `S${stream}F${other}`
  if (isPrimary && wBit === 'forbidden') {
    if (!catalogue.replies(stream, fn)) return []
    return [{ pointer: `${pointer}/w_bit`, detail: `no reply is expected, but there is ${name}` }]
  }
  return answering(direction).flatMap((sender) => {
    const found = catalogue
      .rows(stream, other)
      .some((one) => one.direction === sender || one.direction === 'both')
    if (found) return []
    const detail = isPrimary
      ? `a reply is expected, but no ${name} of the ${sender} is known`
      : `there is no primary ${name} of the ${sender} that it could reply to`
    return [{ pointer: `${pointer}/function`, detail }]
  })
}

/** Who sends the other message of the transaction. */
const answering = (direction: MessageRow['direction']): readonly Sender[] => {
  if (direction === 'both') return ['host', 'equipment']
  return [direction === 'host' ? 'equipment' : 'host']
}

/**
 * Faults in the answer of a row, if it has one: data that do not fit the secondary. The rest of the catalogue has
 * to be valid.
 */
export function answerFaults(catalogue: Catalogue, row: MessageRow, pointer: string): readonly SiteFault[] {
  const { stream, function: fn, answer } = row
  if (answer === undefined) return []
  try {
    // Every encoding of an equipment contains ASCII: what is valid here can always be sent.
    catalogue.buildAny(stream, fn + 1, answer, { sender: 'host', text: textCodec('ascii') })
    return []
  } catch (error) {
    if (!(error instanceof CatalogueError)) throw error
    return error.problems.map(({ item, detail }) => ({
      pointer: `${pointer}/${item}`,
      detail: `${item} ${detail}`,
    }))
  }
}
