import { textCodec } from '../../secs2/text.js'
import { type Catalogue, CatalogueError } from '../catalogue.js'
import type { MessageRow } from '../message-row.js'
import type { SiteFault } from './site-faults.js'

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
