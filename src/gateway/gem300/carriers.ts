import { faultyRequest } from '../../contract/errors.js'
import { onePage } from '../../contract/schema.js'
import type { Carrier, CarrierCommand, carrierEndpoints } from '../../contract/topics/gem300/carriers.js'
import { CARRIER_ACCESSING_WORDS, CARRIER_ID_WORDS, SLOT_MAP_WORDS } from '../../gem300/carrier.js'
import {
  type CarrierContents,
  carrierAttributes,
  contentMapOf,
  slotMapOf,
} from '../../gem300/carrier-attributes.js'
import { BodyError } from '../../gem300/messages/body-error.js'
import { slotMapIn } from '../../gem300/slot-map.js'
import type { CarrierAttributeName, Gem300View } from '../../gem300/variants.js'
import type { Handlers } from '../handler.js'
import { attributesIn, bodyFor, errorsIn, exchanged, requireIds, viewOf } from './object-exchange.js'
import {
  attributeRead,
  codeAttribute,
  listedObjects,
  oneObject,
  type ToldObject,
  textAttribute,
} from './object-query.js'
import { shownInTurns } from './objects-in-turns.js'

const TYPE = 'Carrier'
/** Links a message to an inquiry before it, which is not sent. */
const DATAID = 0
const ATTRIBUTES: readonly CarrierAttributeName[] = [
  'Capacity',
  'SubstrateCount',
  'Usage',
  'SlotMap',
  'ContentMap',
]

/** CARRIERACTION. */
const ACTIONS = {
  proceed: 'ProceedWithCarrier',
  cancel: 'CancelCarrier',
  release: 'CarrierRelease',
  bind: 'Bind',
  cancel_bind: 'CancelBind',
  notify: 'CarrierNotification',
  cancel_notification: 'CancelCarrierNotification',
} as const

/** Whether CAACK says that the equipment did what was asked, or will. */
export const isDone = (caack: string): boolean => caack === 'PERFORMED' || caack === 'WILL_BE_PERFORMED'

/** Carriers (SEMI E87): objects (S14F1), and actions (S3F17). */
export const carrierHandlers: Handlers<typeof carrierEndpoints> = {
  async listCarriers({ params: { id }, query }, { asking }) {
    const { objects, view } = await listedObjects(asking, id, TYPE, query)
    return onePage(await shownInTurns(objects, (object) => carrierOf(object, view)))
  },

  async getCarrier({ params: { id, carrier }, query }, { asking }) {
    const { object, view } = await oneObject(asking, id, TYPE, carrier, query)
    return carrierOf(object, view)
  },

  async commandCarrier({ params: { id }, send, body }, { asking }) {
    const view = viewOf(asking.reading(id))
    const { command, carrier_id, port } = body
    checkNamed(body)
    const isAtPort = carrier_id === undefined
    const content = {
      DATAID,
      CARRIERACTION: isAtPort ? 'CancelCarrierAtPort' : ACTIONS[command],
      CARRIERID: carrier_id ?? '',
      PTN: port,
      ATTRIBUTES: attributesGiven(body, view),
    }
    const item = bodyFor('S3F17', content, view)
    const { content: said, message_id, reply_id } = await exchanged(asking, id, 'S3F17', item, 'S3F18', send)
    const { CAACK, ERRORS } = said
    return {
      carrier_id: carrier_id ?? null,
      caack: CAACK,
      accepted: isDone(CAACK),
      errors: errorsIn(ERRORS),
      message_id,
      reply_id,
    }
  },
}

/** Throws `invalid_message` for a command without what it is about. */
function checkNamed({ command, carrier_id, port }: CarrierCommand): void {
  if (carrier_id !== undefined) return requireIds([['/carrier_id', carrier_id]])
  if (command !== 'cancel')
    throw faultyRequest('invalid_message', [
      { pointer: '/carrier_id', detail: `is required with ${command}` },
    ])
  if (port === undefined)
    throw faultyRequest('invalid_message', [{ pointer: '/port', detail: 'is required without carrier_id' }])
}

function attributesGiven(given: CarrierCommand, view: Gem300View): ReturnType<typeof carrierAttributes> {
  const { capacity, substrate_count, usage, slot_map, contents } = given
  const told: CarrierContents = {
    ...(capacity !== undefined && { capacity }),
    ...(substrate_count !== undefined && { substrateCount: substrate_count }),
    ...(usage !== undefined && { usage }),
    ...(slot_map !== undefined && { slotMap: slotMapIn(slot_map) }),
    ...(contents && {
      contentMap: contents.map(({ lot_id, substrate_id }) => ({ lotId: lot_id, substrateId: substrate_id })),
    }),
  }
  const slots = told.slotMap?.length
  if (slots !== undefined && contents && contents.length !== slots) {
    const detail = `has ${contents.length} entries for a slot map of ${slots} slots: one for each slot`
    throw faultyRequest('invalid_message', [{ pointer: '/contents', detail }])
  }
  try {
    return carrierAttributes(ATTRIBUTES, told, view)
  } catch (error) {
    if (!(error instanceof BodyError)) throw error
    throw faultyRequest('invalid_message', [{ pointer: '/slot_map', detail: error.detail }])
  }
}

function carrierOf(object: ToldObject, view: Gem300View): Carrier {
  const map = attributeRead(object, ['SlotMap'], (item) => slotMapOf(item, view)) ?? []
  const contents = attributeRead(object, ['ContentMap'], (item) => contentMapOf(item, view)) ?? []
  return {
    carrier_id: object.id,
    location: textAttribute(object, 'LocationID', view),
    id_status: codeAttribute(object, ['CarrierIDStatus'], CARRIER_ID_WORDS, view),
    slot_map_status: codeAttribute(object, ['SlotMapStatus'], SLOT_MAP_WORDS, view),
    accessing_status: codeAttribute(object, ['CarrierAccessingStatus'], CARRIER_ACCESSING_WORDS, view),
    slots: map.map((state, at) => ({
      slot: at + 1,
      state,
      lot_id: contents[at]?.lotId ?? '',
      substrate_id: contents[at]?.substrateId ?? '',
    })),
    attributes: attributesIn(object.attributes, view),
  }
}
