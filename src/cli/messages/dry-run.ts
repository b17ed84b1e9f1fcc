import { type Catalogue, CatalogueError } from '../../catalogue/catalogue.js'
import type { Equipment } from '../../contract/equipment.js'
import type { NewMessage } from '../../contract/topics/messages.js'
import { encodeBody } from '../../secs2/encode.js'
import { SmlError } from '../../secs2/sml/error.js'
import type { SmlMessage } from '../../secs2/sml/message.js'
import { parseSml } from '../../secs2/sml/parse.js'
import { printSml } from '../../secs2/sml/print.js'
import { textCodec } from '../../secs2/text.js'
import { wrongUsage } from '../errors/failure.js'

type Particulars = Pick<Equipment, 'item_formats' | 'text_encoding'>

/** The message that would be sent to an equipment, as SML and as the hex of its body. */
export function dryRun(
  message: NewMessage,
  equipment: Particulars,
  catalogue: Catalogue,
): { readonly sml: string; readonly hex: string } {
  const text = textCodec(equipment.text_encoding)
  const composed =
    message.sml === undefined ? built(message, equipment, catalogue) : parsed(message.sml, equipment)
  if (composed.function % 2 === 0) {
    const name = catalogue.name(composed.stream, composed.function)
    const why = 'is a reply: only primaries, with an odd function, can be sent'
    throw wrongUsage(`${name} ${why}`, 'secsctl sml encode --help')
  }
  return {
    sml: printSml(composed, { text }),
    hex: Buffer.from(encodeBody(composed.item)).toString('hex'),
  }
}

function built(
  message: NewMessage,
  { item_formats: formats, text_encoding }: Particulars,
  catalogue: Catalogue,
): SmlMessage {
  const { stream = 0, function: fn = 0, data = {}, wait_for_reply: wanted = true } = message
  const rule = catalogue.wBit(stream, fn, 'host')
  const wait = rule === 'required' || (rule !== 'forbidden' && wanted)
  try {
    const view = { sender: 'host', formats, text: textCodec(text_encoding) } as const
    const item = catalogue.buildGiven(stream, fn, data, view)
    return { stream, function: fn, wait, item }
  } catch (error) {
    if (!(error instanceof CatalogueError)) throw error
    throw wrongUsage(error.message, `secsctl messages describe S${stream}F${fn}`)
  }
}

function parsed(sml: string, { text_encoding }: Particulars): SmlMessage {
  try {
    const [only, ...more] = parseSml(sml, { text: textCodec(text_encoding) })
    if (only && more.length === 0) return only
    throw wrongUsage(`the SML text holds ${more.length + (only ? 1 : 0)} messages: one is sent at a time`)
  } catch (error) {
    if (!(error instanceof SmlError)) throw error
    throw wrongUsage(`this is not SML: ${error.message}`)
  }
}
