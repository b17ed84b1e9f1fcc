import { type Static, Type } from 'typebox'
import { endpoint } from '../../endpoint.js'
import { TRANSACTION_ERRORS } from '../../errors.js'
import { Id, NullableText, named, namedInput, oneOf, onePage, Page, Text } from '../../schema.js'
import { READS, WRITES } from '../messages.js'
import {
  ID_RULE,
  ObjectAttribute,
  ObjectId,
  ObjectResult,
  objectResultAs,
  StateWord,
} from './object-values.js'

const Slot = Type.Object({
  slot: Type.Integer({ minimum: 1 }),
  state: Text('Such as `EMPTY` or `CORRECTLY_OCCUPIED`; `unknown (7)` for a number without a known meaning.'),
  lot_id: Text('Of ContentMap; empty where there is none.'),
  substrate_id: Text('Of ContentMap; empty where there is none.'),
})

export const Carrier = named('Carrier', {
  carrier_id: Text('ObjID.'),
  location: NullableText('LocationID; null where the equipment does not give it.'),
  id_status: StateWord('CarrierIDStatus, such as `WAITING_FOR_HOST`'),
  slot_map_status: StateWord('SlotMapStatus, such as `SLOT_MAP_VERIFICATION_OK`'),
  accessing_status: StateWord('CarrierAccessingStatus, such as `IN_ACCESS`'),
  slots: Type.Array(Slot, {
    description:
      'SlotMap with ContentMap, from slot 1; empty where the equipment gives none, or more than 255: no carrier has so many.',
  }),
  attributes: Type.Array(ObjectAttribute, { description: 'All attributes as the equipment gave them.' }),
})
export type Carrier = Static<typeof Carrier>

const ByCarrier = Type.Object({ id: Id, carrier: ObjectId('Carrier ID.') })

const CARRIER_COMMANDS = [
  'proceed',
  'cancel',
  'release',
  'bind',
  'cancel_bind',
  'notify',
  'cancel_notification',
] as const

const Count = (description: string) => Type.Optional(Type.Integer({ minimum: 0, maximum: 255, description }))

export const CarrierCommand = namedInput('CarrierCommand', {
  command: oneOf(
    CARRIER_COMMANDS,
    'CARRIERACTION: ProceedWithCarrier, CancelCarrier (without `carrier_id`: CancelCarrierAtPort), CarrierRelease, Bind, CancelBind, CarrierNotification, CancelCarrierNotification.',
  ),
  carrier_id: Type.Optional(ObjectId(`Carrier ID: ${ID_RULE}. Required unless \`command\` is \`cancel\`.`)),
  port: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 255, description: 'Port number (PTN). Default: none is sent.' }),
  ),
  capacity: Count('Capacity: slots of the carrier.'),
  substrate_count: Count('SubstrateCount.'),
  usage: Type.Optional(Type.String({ maxLength: 80, description: 'Usage, such as `product`.' })),
  slot_map: Type.Optional(
    Type.String({
      pattern: '^[?.*oOdDxX]{1,255}$',
      description:
        'SlotMap, a letter for each slot from slot 1: `.` empty, `o` correctly occupied, `D` double slotted, `X` cross slotted, `*` not empty, `?` undefined.',
    }),
  ),
  contents: Type.Optional(
    Type.Array(
      Type.Object(
        { lot_id: Type.String({ maxLength: 80 }), substrate_id: Type.String({ maxLength: 80 }) },
        { additionalProperties: false },
      ),
      {
        maxItems: 255,
        description: 'ContentMap: one entry for each slot, with empty texts for an empty one.',
      },
    ),
  ),
})
export type CarrierCommand = Static<typeof CarrierCommand>

const CarrierResult = Type.Object({
  carrier_id: NullableText('The carrier; null where only a port was named.'),
  caack: Text(
    'CAACK in words, such as `PERFORMED`, or `WILL_BE_PERFORMED` where an event will tell the end.',
  ),
  ...ObjectResult,
})

const EXAMPLE: Carrier = {
  carrier_id: 'FOUP7',
  location: 'LP1',
  id_status: 'ID_VERIFICATION_OK',
  slot_map_status: 'WAITING_FOR_HOST',
  accessing_status: 'NOT_ACCESSED',
  slots: [{ slot: 1, state: 'CORRECTLY_OCCUPIED', lot_id: 'L1', substrate_id: 'W1' }],
  attributes: [{ name: 'SlotMapStatus', value: { U1: [1] }, text: '1' }],
}

export const carrierEndpoints = {
  listCarriers: endpoint('GET /equipment/{id}/carriers', {
    ...READS,
    tag: 'carriers',
    summary: 'List the carriers at the equipment',
    description: 'Sends S14F1 for all objects of the type Carrier. The response has all in one page.',
    reply: Page(Carrier),
    examples: { reply: onePage([EXAMPLE]) },
  }),
  getCarrier: endpoint('GET /equipment/{id}/carriers/{carrier}', {
    ...READS,
    tag: 'carriers',
    summary: 'Show a carrier',
    description: 'Sends S14F1 for all attributes of the carrier.',
    params: ByCarrier,
    reply: Carrier,
    errors: [...TRANSACTION_ERRORS, 'object_not_found'],
    examples: { reply: EXAMPLE },
  }),
  commandCarrier: endpoint('POST /equipment/{id}/carriers', {
    ...WRITES,
    tag: 'carriers',
    summary: 'Proceed with a carrier, cancel, release, bind or announce it',
    description:
      'Sends S3F17 with the attributes that are given. If the equipment refuses, the response is 200 with `accepted` false. A carrier whose ID and slot map wait for the host takes `proceed` for each.',
    access: 'operator',
    body: CarrierCommand,
    reply: CarrierResult,
    audited: ['command', 'carrier_id', 'port'],
    examples: {
      body: { command: 'proceed', carrier_id: 'FOUP7', port: 1 },
      reply: { carrier_id: 'FOUP7', caack: 'PERFORMED', ...objectResultAs(97) },
    },
  }),
} as const
