import { Problem } from '../../../contract/errors.js'
import { slotMapOf } from '../../../gem300/carrier-attributes.js'
import { KINDS, type ObjectKind, portId } from '../../../gem300/object-states.js'
import { slotMapText } from '../../../gem300/slot-map.js'
import type { ToldObject } from '../../../gem300/told-object.js'
import type { Gem300View } from '../../../gem300/variants.js'
import type { Asking } from '../../services/asking.js'
import { isUnknownMessage } from '../../services/unknown-message.js'
import { exchanged, viewOf } from '../object-exchange.js'
import {
  attributeRead,
  codeAttribute,
  type ToldObject as ObjectOfReply,
  objectsOf,
  textAttribute,
} from '../object-query.js'

/** What equipment says that it has of one kind, all of it. */
export interface ToldKind {
  readonly kind: ObjectKind
  readonly objects: readonly ToldObject[]
  readonly replyId: string
}

/** What came of the questions. */
export interface Asked {
  /** Messages that the equipment does not know. */
  readonly refused: readonly string[]
  /** Kinds of objects that it does not have, or does not give. */
  readonly missing: readonly ObjectKind[]
}

const ASK_BY_ITSELF = { request: undefined } as const

/** Kinds that S14F1 asks for. */
const BY_OBJECTS = ['port', 'carrier', 'control_job', 'substrate'] as const

/**
 * Asks for all objects, one question after the other: S16F19, and S14F1 for each type. `told` takes each reply as it comes.
 * Equipment that does not know a message is not asked it again in this round. Throws where it does not reply in time, or
 * is not connected any more.
 */
export async function askForObjects(
  asking: Asking,
  equipmentId: string,
  told: (kind: ToldKind) => Promise<void>,
): Promise<Asked> {
  const refused: string[] = []
  const missing: ObjectKind[] = []
  const attempt = async (kind: ObjectKind, message: string, ask: () => Promise<ToldKind | undefined>) => {
    if (refused.includes(message)) return missing.push(kind)
    try {
      const found = await ask()
      if (found) return await told(found)
      missing.push(kind)
    } catch (error) {
      if (!isUnknownMessage(error)) throw error
      // A reply that cannot be understood is a reply: other types may be better.
      if (error instanceof Problem && error.code !== 'equipment_error') refused.push(message)
      missing.push(kind)
    }
  }
  await attempt('job', 'S16F19', () => jobsOf(asking, equipmentId))
  for (const kind of BY_OBJECTS) await attempt(kind, 'S14F1', () => objectsOfKind(asking, equipmentId, kind))
  return { refused, missing }
}

async function jobsOf(asking: Asking, equipmentId: string): Promise<ToldKind> {
  const { content, reply_id } = await exchanged(
    asking,
    equipmentId,
    'S16F19',
    undefined,
    'S16F20',
    ASK_BY_ITSELF,
  )
  const objects = content.map(({ PRJOBID, PRSTATE }) => ({
    kind: 'job' as const,
    id: PRJOBID,
    states: { state: PRSTATE },
  }))
  return { kind: 'job', objects, replyId: reply_id }
}

/** OBJTYPE that is asked for where there is none of the first. */
const OTHER_TYPES: Readonly<Record<string, string>> = { LoadPort: 'Port', Port: 'LoadPort' }

async function objectsOfKind(
  asking: Asking,
  equipmentId: string,
  kind: (typeof BY_OBJECTS)[number],
  view = asking.reading(equipmentId),
): Promise<ToldKind | undefined> {
  const type = KINDS[kind].type?.(viewOf(view).variants) ?? ''
  const first = await objectsOf(asking, equipmentId, type, [], {})
  const other = OTHER_TYPES[type]
  const isElsewhere = first.objects.length === 0 && other !== undefined
  const all = isElsewhere ? await objectsOf(asking, equipmentId, other, [], {}) : first
  if (all.refusal !== undefined) return undefined
  const objects = all.objects.map((object) => toldOf(kind, object, all.view))
  return { kind, objects, replyId: all.reply_id }
}

function toldOf(kind: ObjectKind, object: ObjectOfReply, view: Gem300View): ToldObject {
  const { states, details } = KINDS[kind]
  const words = Object.entries(states).flatMap(([name, { attributes, words }]) => {
    const word = codeAttribute(object, attributes, words(view.variants), view)
    return word === null ? [] : [[name, word] as const]
  })
  const texts = Object.entries(details).flatMap(([name, [attribute]]) => {
    const value = attribute === undefined ? null : detailOf(object, attribute, view)
    return value === null ? [] : [[name, value] as const]
  })
  const id = kind === 'port' ? portId(object.id) : object.id
  return { kind, id, states: Object.fromEntries(words), details: Object.fromEntries(texts) }
}

const detailOf = (object: ObjectOfReply, attribute: string, view: Gem300View): string | null =>
  attribute === 'SlotMap'
    ? attributeRead(object, [attribute], (item) => slotMapText(slotMapOf(item, view)))
    : textAttribute(object, attribute, view)
