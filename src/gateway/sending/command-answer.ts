import type { Catalogue } from '../../catalogue/catalogue.js'
import type { ReadValue } from '../../catalogue/structure/structure-data.js'
import { readLeaf } from '../../catalogue/values/leaf.js'
import type { CommandResult } from '../../contract/commands.js'
import type { Message } from '../../contract/messages.js'
import { type Item, itemsIn } from '../../secs2/item.js'
import { fromTypedJson } from '../../secs2/json.js'
import { textCodec } from '../../secs2/text.js'

/** Names and codes are read of it: UTF-8 holds the text of any encoding. */
const TEXT = textCodec('utf-8')

const bodyOf = (reply: Message | null): Item | undefined =>
  reply?.body ? fromTypedJson(reply.body, TEXT) : undefined

/**
 * The code with which a command was answered. Null where it cannot be read: nobody knows then whether the
 * equipment acted. The rest of the reply need not fit.
 */
export function codeIn(reply: Message | null, item: 'HCACK' | 'CMDA', catalogue: Catalogue): number | null {
  const named = reply?.data?.[item]
  // An item without a value is read as an empty text: that is no code, and not 0.
  const isNamed = typeof named === 'string' && named !== ''
  const code = isNamed ? Number(named) : acknowledged(reply, item, catalogue)
  return code !== undefined && Number.isInteger(code) && code >= 0 && code <= 255 ? code : null
}

function acknowledged(reply: Message | null, item: string, catalogue: Catalogue): number | undefined {
  if (!reply) return undefined
  const found = catalogue.acknowledgement(reply.stream, reply.function, bodyOf(reply))
  return found?.item === item ? found.code : undefined
}

/** The parameters that the equipment complained about: a list of names and codes behind the code itself. */
export function complaintsIn(
  reply: Message | null,
  item: 'CPACK' | 'CEPACK',
  catalogue: Catalogue,
): CommandResult['parameters'] {
  const [, complaints] = itemsIn(bodyOf(reply))
  return itemsIn(complaints).flatMap((complaint) => {
    const [name, code] = itemsIn(complaint)
    if (!name || !code) return []
    const cpack = worst(readLeaf(code, { text: TEXT }))
    return [
      { name: String(readLeaf(name, { text: TEXT })), cpack, cpack_text: catalogue.codeText(item, cpack) },
    ]
  })
}

/** Of a value that is a list the answer may be one too: its first code that is not 0. */
const worst = (code: ReadValue): number =>
  typeof code === 'string' ? Number(code) || 0 : (code.map(worst).find((inner) => inner !== 0) ?? 0)
