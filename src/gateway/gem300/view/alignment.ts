import { Problem } from '../../../contract/errors.js'
import { slotMapOf } from '../../../gem300/carrier-attributes.js'
import type { CompiledMapping } from '../../../gem300/mapping/compiled-mapping.js'
import { toldBySource } from '../../../gem300/mapping/told-by-source.js'
import { KINDS, type ObjectKind, portId } from '../../../gem300/object-states.js'
import { slotMapText } from '../../../gem300/slot-map.js'
import type { ToldObject } from '../../../gem300/told-object.js'
import type { Gem300View } from '../../../gem300/variants.js'
import { itemsIn } from '../../../secs2/item.js'
import type { EquipmentKnowledge } from '../../knowledge/equipment-knowledge.js'
import type { Asking } from '../../services/asking.js'
import { givenId } from '../../services/given-id.js'
import { isUnknownMessage } from '../../services/unknown-message.js'
import { idOfReference } from '../mapping/references.js'
import { exchanged, viewOf } from '../object-exchange.js'
import {
  attributeRead,
  codeAttribute,
  loadPortObjects,
  type ToldObject as ObjectOfReply,
  objectsOf,
  textAttribute,
} from '../object-query.js'
import { shownInTurns } from '../objects-in-turns.js'

/** What a reply of equipment says of its objects. */
export interface ToldAtOnce {
  readonly objects: readonly ToldObject[]
  /** The kind of which these are all that there are. */
  readonly whole: ObjectKind | undefined
  readonly replyId: string
}

/** What the equipment did not give when it was asked. */
export interface Asked {
  /** Messages that the equipment does not know. */
  readonly refused: readonly string[]
  /** Kinds of objects that it does not have, or does not give. */
  readonly missing: readonly ObjectKind[]
}

/** What an equipment is asked by. */
export interface AlignmentPlan {
  /** Undefined where it has none. */
  readonly mapping: CompiledMapping | undefined
  readonly knowledge: EquipmentKnowledge
  /** The carrier that is at a port, as far as that is known. */
  readonly carrierAt: (port: string) => string | undefined
}

const ASK_BY_ITSELF = { request: undefined } as const

/** Kinds that S14F1 asks for. */
const BY_OBJECTS = ['port', 'carrier', 'control_job', 'substrate'] as const

/**
 * Asks for all objects, one question after the other: S16F19, S14F1 for each type, and S1F3 for the status variables of the
 * mapping, which for load ports are asked in place of the objects. `told` takes each reply as it comes. Equipment that does
 * not know a message is not asked it again in this round. Throws where it does not reply in time, or is not connected any
 * more.
 */
export async function askForObjects(
  asking: Asking,
  equipmentId: string,
  plan: AlignmentPlan,
  told: (reply: ToldAtOnce) => Promise<void>,
): Promise<Asked> {
  const refused: string[] = []
  const missing: ObjectKind[] = []
  const attempt = async (
    kind: ObjectKind | undefined,
    message: string,
    ask: () => Promise<ToldAtOnce | undefined>,
  ): Promise<void> => {
    try {
      const found = refused.includes(message) ? undefined : await ask()
      if (found) return await told(found)
    } catch (error) {
      if (!isUnknownMessage(error)) throw error
      // A reply that cannot be understood is a reply: other types may be better.
      if (error instanceof Problem && error.code !== 'equipment_error') refused.push(message)
    }
    if (kind) missing.push(kind)
  }
  const status = plan.mapping?.status ?? []
  await attempt('job', 'S16F19', () => jobsOf(asking, equipmentId))
  for (const kind of BY_OBJECTS) {
    if (kind === 'port' && status.some((one) => one.kind === 'port')) continue
    await attempt(kind, 'S14F1', () => objectsOfKind(asking, equipmentId, kind, plan))
  }
  if (status.length > 0) await attempt(undefined, 'S1F3', () => statusOf(asking, equipmentId, plan))
  return { refused, missing }
}

async function jobsOf(asking: Asking, equipmentId: string): Promise<ToldAtOnce> {
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
  return { whole: 'job', objects, replyId: reply_id }
}

async function objectsOfKind(
  asking: Asking,
  equipmentId: string,
  kind: (typeof BY_OBJECTS)[number],
  { mapping }: AlignmentPlan,
): Promise<ToldAtOnce | undefined> {
  const type = KINDS[kind].type?.(viewOf(asking.reading(equipmentId)).variants) ?? ''
  const { objects, view, refusal, reply_id } = await (kind === 'port'
    ? loadPortObjects(asking, equipmentId, {})
    : objectsOf(asking, equipmentId, type, [], {}))
  if (refusal !== undefined) return undefined
  const told = await shownInTurns(objects, (object) => toldOf(kind, object, view, mapping?.ignored))
  return { whole: kind, objects: told, replyId: reply_id }
}

async function statusOf(
  asking: Asking,
  equipmentId: string,
  { mapping, knowledge, carrierAt }: AlignmentPlan,
): Promise<ToldAtOnce | undefined> {
  const { status = [] } = mapping ?? {}
  const references = status.flatMap(({ variables }) => Object.values(variables))
  const vids = references.map((reference) => idOfReference({ kind: 'variable', reference }, knowledge))
  const asked = [...new Set(vids.filter((vid) => vid !== undefined))]
  if (asked.length === 0) return undefined
  const item = asking.bodyOf(equipmentId, 'S1F3', { SVID: asked.map(givenId) })
  const { body, ids, reading } = await asking.exchange(equipmentId, 'S1F3', item, ASK_BY_ITSELF)
  const values = itemsIn(body).map((value, at) => {
    const vid = asked[at] ?? null
    return { vid, name: vid === null ? null : (knowledge.named(vid)?.name ?? null), item: value }
  })
  const objects = status.flatMap((source) => toldBySource(source, values, viewOf(reading), carrierAt).objects)
  return { whole: undefined, objects, replyId: ids.reply_id }
}

function toldOf(
  kind: ObjectKind,
  object: ObjectOfReply,
  view: Gem300View,
  ignored: ReadonlySet<string> | undefined,
): ToldObject {
  const { states, details } = KINDS[kind]
  const words = Object.entries(states).flatMap(([name, { attributes, words }]) => {
    if (ignored?.has(`${kind}.${name}`)) return []
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
