import type { ReadValue } from '../../catalogue/structure/structure-data.js'
import { readLeaf } from '../../catalogue/values/leaf.js'
import type { CommandResult } from '../../contract/topics/commands.js'
import { itemsIn } from '../../secs2/item.js'
import type { Reading } from '../records/reading.js'
import type { RecordedMessage } from '../records/recorded-message.js'

/**
 * The acknowledge code in the reply to a command. Null where it cannot be read: whether the equipment acted is then
 * not known. The rest of the reply may be malformed.
 */
export function codeIn(reply: RecordedMessage, item: 'HCACK' | 'CMDA', reading: Reading): number | null {
  const { stream, function: fn, item: body } = reply
  const { catalogue } = reading
  const named = catalogue.readAny(stream, fn, body, { ...reading, sender: 'equipment' })?.[item]
  // An item without a value reads as an empty text: it is not a code, and not 0.
  const isNamed = typeof named === 'string' && named !== ''
  const found = isNamed ? undefined : catalogue.acknowledgement(stream, fn, body)
  const code = isNamed ? Number(named) : found?.item === item ? found.code : undefined
  return code !== undefined && Number.isInteger(code) && code >= 0 && code <= 255 ? code : null
}

/** The parameters that the equipment rejected: a list of names and codes after the acknowledge code. */
export function rejectedParameters(
  reply: RecordedMessage,
  item: 'CPACK' | 'CEPACK',
  reading: Reading,
): CommandResult['parameters'] {
  const [, rejected] = itemsIn(reply.item)
  return itemsIn(rejected).flatMap((parameter) => {
    const [name, code] = itemsIn(parameter)
    if (!name || !code) return []
    const cpack = worst(readLeaf(code, reading))
    const cpack_text = reading.catalogue.codeText(item, cpack)
    return [{ name: String(readLeaf(name, reading)), cpack, cpack_text }]
  })
}

/** For a value that is a list the reply may be a list, too: its first code that is not 0. */
const worst = (code: ReadValue): number =>
  typeof code === 'string' ? Number(code) || 0 : (code.map(worst).find((inner) => inner !== 0) ?? 0)
