import type { Catalogue } from '../../catalogue/catalogue.js'
import type { ReadValue } from '../../catalogue/structure/structure-data.js'
import { readLeaf } from '../../catalogue/values/leaf.js'
import type { CommandResult } from '../../contract/commands.js'
import type { Message } from '../../contract/messages.js'
import { type Item, itemsIn } from '../../secs2/item.js'
import { fromTypedJson } from '../../secs2/json.js'
import { textCodec } from '../../secs2/text.js'

/** Decodes names and codes as UTF-8, independent of the equipment's encoding. */
const TEXT = textCodec('utf-8')

const bodyOf = (reply: Message | null): Item | undefined =>
  reply?.body ? fromTypedJson(reply.body, TEXT) : undefined

/**
 * The code with which a command was answered. Null where it cannot be read: whether the equipment acted is then
 * not known. The rest of the reply may be malformed.
 */
export function codeIn(reply: Message | null, item: 'HCACK' | 'CMDA', catalogue: Catalogue): number | null {
  const named = reply?.data?.[item]
  // An item without a value reads as an empty text: it is not a code, and not 0.
  const isNamed = typeof named === 'string' && named !== ''
  const code = isNamed ? Number(named) : acknowledged(reply, item, catalogue)
  return code !== undefined && Number.isInteger(code) && code >= 0 && code <= 255 ? code : null
}

function acknowledged(reply: Message | null, item: string, catalogue: Catalogue): number | undefined {
  if (!reply) return undefined
  const found = catalogue.acknowledgement(reply.stream, reply.function, bodyOf(reply))
  return found?.item === item ? found.code : undefined
}

/** The parameters that the equipment rejected: a list of names and codes after the acknowledge code. */
export function rejectedParameters(
  reply: Message | null,
  item: 'CPACK' | 'CEPACK',
  catalogue: Catalogue,
): CommandResult['parameters'] {
  const [, rejected] = itemsIn(bodyOf(reply))
  return itemsIn(rejected).flatMap((complaint) => {
    const [name, code] = itemsIn(complaint)
    if (!name || !code) return []
    const cpack = worst(readLeaf(code, { text: TEXT }))
    return [
      { name: String(readLeaf(name, { text: TEXT })), cpack, cpack_text: catalogue.codeText(item, cpack) },
    ]
  })
}

/** For a value that is a list the answer may be a list, too: its first code that is not 0. */
const worst = (code: ReadValue): number =>
  typeof code === 'string' ? Number(code) || 0 : (code.map(worst).find((inner) => inner !== 0) ?? 0)
