import { Problem } from '../../contract/errors.js'
import { attributeNamed, type ObjectAttribute } from '../../gem300/carrier-attributes.js'
import type { CodeWords, UnknownCode } from '../../gem300/code-words.js'
import { errorsText } from '../../gem300/error-text.js'
import { BodyError } from '../../gem300/messages/body-error.js'
import { readCode, text } from '../../gem300/messages/body-part.js'
import type { Gem300View } from '../../gem300/variants.js'
import type { Item } from '../../secs2/item.js'
import type { Asking, AskOptions, Exchanged } from '../services/asking.js'
import { bodyFor, exchanged, viewOf } from './object-exchange.js'

/** An object as the equipment told it. */
export interface ToldObject {
  readonly id: string
  readonly attributes: readonly ObjectAttribute[]
}

interface Told extends Exchanged {
  readonly objects: readonly ToldObject[]
  readonly view: Gem300View
  /** Why there are none, in the equipment's words; undefined where it did not refuse. */
  readonly refusal: string | undefined
}

/** All attributes of the objects of a type: of those named, or of all (S14F1). */
export async function objectsOf(
  asking: Asking,
  equipmentId: string,
  type: string,
  ids: readonly string[],
  { timeout }: AskOptions,
): Promise<Told> {
  const question = { OBJSPEC: '', OBJTYPE: type, OBJID: ids, FILTERS: [], ATTRID: [] }
  const item = bodyFor('S14F1', question, viewOf(asking.reading(equipmentId)))
  const asked = { timeout, request: undefined }
  const { content, view, message_id, reply_id } = await exchanged(
    asking,
    equipmentId,
    'S14F1',
    item,
    'S14F2',
    asked,
  )
  const { OBJECTS, RESULT } = content
  const isRefused = OBJECTS.length === 0 && RESULT.OBJACK !== 'DONE'
  return {
    objects: OBJECTS.map(({ OBJID, ATTRIBUTES }) => ({ id: OBJID, attributes: ATTRIBUTES })),
    view,
    refusal: isRefused ? errorsText(RESULT.ERRORS) : undefined,
    message_id,
    reply_id,
  }
}

/** OBJTYPE of a load port: equipment has one or the other. */
const OTHER_PORT_TYPES: Readonly<Record<string, string>> = { LoadPort: 'Port', Port: 'LoadPort' }

/** All load ports, of the other type where there are none of the first; refused where the equipment refuses both. */
export async function loadPortObjects(
  asking: Asking,
  equipmentId: string,
  options: AskOptions,
): Promise<Told> {
  const { portType } = viewOf(asking.reading(equipmentId)).variants
  const first = await objectsOf(asking, equipmentId, portType, [], options)
  const otherType = OTHER_PORT_TYPES[portType]
  if (first.objects.length > 0 || otherType === undefined) return first
  const other = await objectsOf(asking, equipmentId, otherType, [], options)
  return other.refusal === undefined ? other : first
}

/** The same as `objectsOf`, where a refusal is an `equipment_error`. */
export async function listedObjects(
  asking: Asking,
  equipmentId: string,
  type: string,
  options: AskOptions,
): Promise<Told> {
  const told = await objectsOf(asking, equipmentId, type, [], options)
  if (told.refusal === undefined) return told
  throw refused(asking, equipmentId, type, told)
}

export const refused = (
  asking: Asking,
  equipmentId: string,
  type: string,
  { refusal, message_id, reply_id }: Told,
): Problem =>
  new Problem('equipment_error', `${asking.nameOf(equipmentId)} gives no ${type} objects: ${refusal}.`, {
    message_id,
    reply_id,
  })

/** The one object with this ID. Throws `object_not_found`. */
export async function oneObject(
  asking: Asking,
  equipmentId: string,
  type: string,
  id: string,
  options: AskOptions,
): Promise<{ readonly object: ToldObject; readonly view: Gem300View }> {
  const { objects, view, refusal } = await objectsOf(asking, equipmentId, type, [id], options)
  const object = objects.find((one) => one.id === id) ?? (objects.length === 1 ? objects[0] : undefined)
  if (object && object.attributes.length > 0) return { object, view }
  const reason = refusal === undefined ? '' : `: ${refusal}`
  throw new Problem('object_not_found', `${asking.nameOf(equipmentId)} has no ${type} ${id}${reason}.`)
}

/** What `read` makes of an attribute; null where it is not there, or cannot be understood: it is among the attributes. */
export function attributeRead<T>(
  { attributes }: ToldObject,
  names: readonly string[],
  read: (item: Item) => T,
): T | null {
  const item = names.map((name) => attributeNamed(attributes, name)).find((found) => found !== undefined)
  if (item === undefined) return null
  try {
    return read(item)
  } catch (error) {
    if (error instanceof BodyError) return null
    throw error
  }
}

const TEXT = text('OBJID')

export const textAttribute = (object: ToldObject, name: string, view: Gem300View): string | null =>
  attributeRead(object, [name], (item) => TEXT.read(item, view, ''))

export const codeAttribute = <Word extends string>(
  object: ToldObject,
  names: readonly string[],
  words: CodeWords<Word>,
  view: Gem300View,
): Word | UnknownCode | null => attributeRead(object, names, (item) => readCode(item, words, view, ''))
