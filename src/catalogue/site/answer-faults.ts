import { textCodec } from '../../secs2/text.js'
import { type Catalogue, CatalogueError } from '../catalogue.js'
import type { MessageRow } from '../message-row.js'
import type { SiteFault } from './site-faults.js'

/**
 * What in the answer that a row gives does not fit the secondary, if it gives one. The catalogue has to be
 * right otherwise.
 */
export function answerFaults(catalogue: Catalogue, row: MessageRow, pointer: string): readonly SiteFault[] {
  const { stream, function: fn, answer } = row
  if (answer === undefined) return []
  try {
    // ASCII is in every encoding that an equipment may have: what is right here can always be sent.
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
