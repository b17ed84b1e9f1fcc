import { decoded } from '../../secs2/decode.js'
import { encodeBody } from '../../secs2/encode.js'
import { bytesItem, type Item } from '../../secs2/item.js'
import type { RecordedMessage } from './recording.js'

/**
 * S1F14 for a recording that has none: COMMACK 0, with MDLN and SOFTREV as the equipment said them in S1F13 or
 * S1F2; an empty list where it never did.
 */
export function establishAnswer(messages: readonly RecordedMessage[]): Uint8Array {
  const said = messages.find(
    ({ from, stream, function: fn }) => from === 'equipment' && stream === 1 && (fn === 13 || fn === 2),
  )
  const names = said && decoded(said.body).item
  const none: Item = { format: 'L', items: [] }
  return encodeBody({ format: 'L', items: [bytesItem('B', Uint8Array.of(0)), names ?? none] })
}
