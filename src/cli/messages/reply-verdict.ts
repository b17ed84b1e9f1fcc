import type { Acknowledgement } from '../../catalogue/acknowledgement.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import type { Message } from '../../contract/topics/messages.js'
import { fromTypedJson } from '../../secs2/json.js'
import { textCodec } from '../../secs2/text.js'

/** The acknowledge code of a reply, where it has one. */
export function replyVerdict(
  { stream, function: fn, body }: Pick<Message, 'stream' | 'function' | 'body'>,
  catalogue: Catalogue,
): Acknowledgement | undefined {
  if (body === null) return undefined
  // The API's text may have any encoding, and only the code is read: UTF-8 holds any text.
  return catalogue.acknowledgement(stream, fn, fromTypedJson(body, textCodec('utf-8')))
}
