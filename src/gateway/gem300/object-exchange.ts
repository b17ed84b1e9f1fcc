import { STANDARD_CATALOGUE } from '../../catalogue/standard-catalogue.js'
import { faultyRequest, Problem } from '../../contract/errors.js'
import type { ObjectAttribute, ObjectError } from '../../contract/topics/gem300/object-values.js'
import type { ErrorEntry } from '../../gem300/error-text.js'
import { idFault } from '../../gem300/identifier.js'
import { type BodyContent, type BodyName, buildBody, readBodyInSteps } from '../../gem300/messages/bodies.js'
import { BodyError } from '../../gem300/messages/body-error.js'
import { DEFAULT_VARIANTS, type Gem300View } from '../../gem300/variants.js'
import { inTurns } from '../../kit/turns.js'
import type { Item } from '../../secs2/item.js'
import { LATIN1 } from '../../secs2/text.js'
import type { Reading } from '../records/reading.js'
import type { Asked, Asking, Exchanged, SendOptions } from '../services/asking.js'
import { shownValue } from '../services/replied-values.js'
import { valueCount } from './objects-in-turns.js'

/** A primary of GEM 300, and its secondary. Those without a body are asked with nothing. */
type ObjectQuestion = Extract<Asked, `S${3 | 14 | 16}F${number}`>

export interface ReadReply<Reply extends BodyName> extends Exchanged {
  readonly content: BodyContent<Reply>
  readonly view: Gem300View
}

/** How the bodies of GEM 300 of an equipment are built and read. Throws `equipment_not_found`. */
export const viewOf = ({ formats, text, gem300 }: Reading): Gem300View => ({
  variants: gem300 ?? DEFAULT_VARIANTS,
  ...(formats && { formats }),
  ...(text && { text }),
})

/** The body of a message. Throws `invalid_message` for what this equipment has no item for. */
export function bodyFor<Name extends BodyName>(
  name: Name,
  content: BodyContent<Name>,
  view: Gem300View,
): Item {
  try {
    return buildBody(name, content, view)
  } catch (error) {
    if (!(error instanceof BodyError)) throw error
    throw faultyRequest('invalid_message', [{ pointer: error.pointer, detail: error.detail }])
  }
}

/** Values of a reply that is read: thousands of carriers, each with its slots. */
const MOST_VALUES = 200_000

/**
 * Sends a primary, and reads its reply tolerantly. Throws `equipment_error` for one that cannot be understood, and for one
 * of more values than the gateway keeps at once.
 */
export async function exchanged<Reply extends BodyName>(
  asking: Asking,
  equipmentId: string,
  message: ObjectQuestion,
  item: Item | undefined,
  reply: Reply,
  options: SendOptions,
): Promise<ReadReply<Reply>> {
  const { body, ids, reading, subject } = await asking.exchange(equipmentId, message, item, options)
  const view = viewOf(reading)
  if (valueCount(body, MOST_VALUES) > MOST_VALUES) {
    const most = `${MOST_VALUES.toLocaleString('en')} values, more than the gateway reads at once`
    throw new Problem(
      'equipment_error',
      `${subject} of more than ${most}: ask for single objects by their IDs.`,
      ids,
    )
  }
  try {
    return { content: await inTurns(readBodyInSteps(reply, body, view)), view, ...ids }
  } catch (error) {
    if (!(error instanceof BodyError)) throw error
    throw new Problem('equipment_error', `${subject} that cannot be understood: ${error.message}.`, ids)
  }
}

/** Everything that the equipment says is wrong. An entry that says there was no error is none. */
export const errorsIn = (errors: readonly ErrorEntry[]): ObjectError[] =>
  errors
    .filter(({ ERRCODE, ERRTEXT }) => (ERRCODE ?? 0) !== 0 || ERRTEXT.trim() !== '')
    .map(({ PTN, ERRCODE, ERRTEXT }) => ({
      port: PTN ?? null,
      code: ERRCODE ?? null,
      code_text: ERRCODE === undefined ? null : STANDARD_CATALOGUE.codeText('ERRCODE', ERRCODE),
      text: ERRTEXT.trim(),
    }))

/** Attributes as the response shows them. */
export const attributesIn = (
  rows: readonly { readonly ATTRID: string; readonly ATTRDATA: Item }[],
  { text = LATIN1 }: Gem300View,
): ObjectAttribute[] =>
  rows.map(({ ATTRID, ATTRDATA }) => ({ name: ATTRID, ...shownValue(ATTRDATA, { text }) }))

/** Throws `invalid_message` for new IDs that are none, with all of them. */
export function requireIds(ids: readonly (readonly [pointer: string, id: string])[]): void {
  const faults = ids.flatMap(([pointer, id]) => {
    const detail = idFault(id)
    return detail === undefined ? [] : [{ pointer, detail }]
  })
  if (faults.length > 0) throw faultyRequest('invalid_message', faults)
}
