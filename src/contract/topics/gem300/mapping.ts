import { type Static, type TSchema, Type } from 'typebox'
import { endpoint } from '../../endpoint.js'
import { TRANSACTION_ERRORS } from '../../errors.js'
import {
  ById,
  input,
  NullableText,
  named,
  namedInput,
  nullable,
  OptionalFlag,
  OptionalText,
  oneOf,
  onePage,
  Page,
  Text,
  Time,
} from '../../schema.js'
import { STATE_SOURCES } from '../event-data.js'
import { Reference, WantedReports } from '../reports.js'

export const OCCURRENCES = [
  'carrier_placed',
  'carrier_taken',
  'carrier_id_read',
  'carrier_id_not_read',
  'carrier_clamped',
  'carrier_unclamped',
  'carrier_docked',
  'carrier_opened',
  'carrier_closed',
  'carrier_moved',
  'carrier_nearly_complete',
  'location_occupied',
  'location_unoccupied',
] as const

/** More events than any tool has. */
const MAX_ROWS = 5000
const WORD = { minLength: 1, maxLength: 80 } as const

const Variables = (description: string) =>
  Type.Record(Type.String({ pattern: '^[a-z_]{1,40}$' }), Reference('Name or VID of a variable.'), {
    description,
    maxProperties: 20,
  })

const words = (subject: string, tables: string) =>
  Type.Optional(
    Type.Unsafe<string | Readonly<Record<string, string>>>({
      anyOf: [
        { type: 'string', ...WORD },
        { type: 'object', additionalProperties: { type: 'string', ...WORD }, maxProperties: 256 },
      ],
      description: `Numbers of ${subject}: the name of a table (${tables}), or words by number.`,
    }),
  )

const CarrierAttributes = (call: string) =>
  Type.Optional(
    Type.Array(oneOf(['Capacity', 'SubstrateCount', 'ContentMap', 'SlotMap', 'Usage']), {
      maxItems: 5,
      description: `Attributes that go with the ProceedWithCarrier that accepts ${call}.`,
    }),
  )

const Settings = input({
  job: words('process job states', '`standard`, `executing_5`'),
  substrate: words('substrate states', '`standard`, `one_based`'),
  substrate_processing: words('substrate processing states', '`standard`, `one_based`'),
  slots: words('slots in a slot map', '`standard`, `present`'),
  slot_format: Type.Optional(oneOf(['U1', 'U2'], 'Format of a slot in SlotMap. Default: `U1`.')),
  port_actions: Type.Optional(
    Type.Unsafe<string | Readonly<Record<string, object>>>({
      anyOf: [
        { type: 'string', ...WORD },
        {
          type: 'object',
          maxProperties: 4,
          additionalProperties: {
            type: 'object',
            required: ['action'],
            additionalProperties: false,
            properties: {
              action: { type: 'string', ...WORD },
              parameters: {
                type: 'object',
                maxProperties: 10,
                additionalProperties: {
                  anyOf: [
                    { type: 'string', ...WORD },
                    { type: 'integer', minimum: 0, maximum: 4294967295 },
                  ],
                },
              },
            },
          },
        },
      ],
      description:
        'Words of S3F25: `standard`, `in_service_4`, `words`, `upper_case`, or PORTACTION and parameters by `in_service`, `out_of_service`, `reserve`, `cancel_reservation`.',
    }),
  ),
  port_type: OptionalText('OBJTYPE of a load port. Default: `LoadPort`.', WORD),
  create_specifier: OptionalText('OBJSPEC of S14F9. Default: `Equipment`.', { maxLength: 80 }),
  job_creation: Type.Optional(
    oneOf(['S16F15', 'S16F11'], 'Message that creates a process job. Default: `S16F15`.'),
  ),
  attributes_with_id: CarrierAttributes('the ID. Default: none'),
  attributes_with_slot_map: CarrierAttributes('the slot map. Default: `SlotMap`, `ContentMap`'),
  ignored_attributes: Type.Optional(
    Type.Array(Type.String(WORD), {
      maxItems: 20,
      description:
        'States that the equipment gives wrong as attributes of its objects, such as `carrier.id_status`: events alone tell them.',
    }),
  ),
})

const source = <Extra extends Record<string, TSchema>>(extra: Extra) =>
  input({
    ...extra,
    to: OptionalText(
      'The state that follows, or `NO_STATE` where the object ends. Default: the variable says it.',
      WORD,
    ),
    transition: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 99,
        description: 'Number of the transition, which says the state that follows.',
      }),
    ),
    port: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 99, description: 'The port that the name speaks of.' }),
    ),
    object: OptionalText('The object that the name speaks of, such as a module.', WORD),
    variables: Type.Optional(Variables('In place of those of the kind of object.')),
  })

const State = Text(
  'Which state: `port.transfer`, `port.access_mode`, `port.reservation`, `port.association`, `carrier.id_status`, `carrier.slot_map_status`, `carrier.accessing_status`, `job.state`, `control_job.state`, `substrate.state`, `substrate.processing`, `substrate.id_status`, `performance.state`. The part before the point alone: all whose variables are there.',
)

/** How equipment tells of its ports, carriers, jobs and substrates. */
export const Gem300Mapping = namedInput('Gem300Mapping', {
  settings: Type.Optional(Settings),
  variables: Type.Optional(
    Type.Record(
      Type.String({ pattern: '^[a-z_]{1,40}$' }),
      Variables('By what they hold: `id`, a state, or a detail such as `location`.'),
      {
        maxProperties: 10,
        description:
          'Variables of event reports by kind of object: `port`, `carrier`, `job`, `control_job`, `substrate`, `performance`.',
      },
    ),
  ),
  events: Type.Optional(
    Type.Array(
      source({
        event: Reference('Name or CEID of a collection event.'),
        state: Type.Optional(State),
        occurrence: Type.Optional(
          oneOf(OCCURRENCES, 'What the event says that is no state. In place of `state`.'),
        ),
      }),
      { maxItems: MAX_ROWS },
    ),
  ),
  status: Type.Optional(
    Type.Array(source({ state: State }), {
      maxItems: 200,
      description:
        'Status variables that are asked for with S1F3 after a connect, and when the equipment comes online again.',
    }),
  ),
})
export type Gem300Mapping = Static<typeof Gem300Mapping>

export const Gem300 = named('Gem300', {
  mapping: nullable(
    Type.Record(Type.String(), Type.Unknown(), { description: 'As `PUT` takes it; null without one.' }),
  ),
  applied_at: nullable(Time('When the mapping was given.')),
  applied_by: NullableText('Email of the user who gave the mapping, or `key:NAME` of an API key.'),
  aligned_at: nullable(
    Time('When the gateway last asked for all objects; null if it did not since it started.'),
  ),
  refused: Type.Array(Type.String(), { description: 'Messages that the equipment does not know.' }),
  missing: Type.Array(Type.String(), {
    description: 'Kinds of objects that the equipment does not have, or does not give.',
  }),
  unknown: Type.Array(Type.String(), {
    description:
      'Names and numbers of the mapping that the equipment, with its present software, does not have.',
  }),
  note: NullableText('What this means for the states, in a sentence; null if nothing is wrong.'),
})
export type Gem300 = Static<typeof Gem300>

const EXAMPLE: Gem300Mapping = {
  variables: {
    carrier: { id: 'CarrierID', slot_map: 'SlotMap' },
    job: { id: 'PRJobID', state: 'PRJobState' },
  },
  events: [
    { event: 'CarrierSMTrans14', state: 'carrier.slot_map_status', to: 'WAITING_FOR_HOST' },
    { event: 'PRJobStateChange', state: 'job.state' },
  ],
}
const SHOWN: Gem300 = {
  mapping: EXAMPLE,
  applied_at: '2026-01-31T08:00:00.000Z',
  applied_by: 'ada@example.com',
  aligned_at: '2026-01-31T08:00:01.000Z',
  refused: [],
  missing: [],
  unknown: [],
  note: null,
}

/** What is followed of equipment. */
export const FOLLOWED_KINDS = ['port', 'carrier', 'job', 'control_job', 'substrate', 'performance'] as const

/** Of a state that nothing has told since it was lost. */
const LastKnown = Type.Object(
  { state: Type.String(), until: Time('When it was lost.') },
  { description: 'Of a state that is `UNKNOWN`: the last one that was told.' },
)

const KnownState = named('KnownObjectState', {
  state: Text(
    'Such as `IN_ACCESS`; `unknown (5)` for a number without a known meaning. Of a module `UNKNOWN`, where nothing has told it since the equipment could last tell it.',
  ),
  source: oneOf(STATE_SOURCES, '`event`: an event report said so. `query`: the gateway asked.'),
  since: Time('When it was told for the first time since it was another one.'),
  message_id: Text('Id of the message that said so.'),
  last_known: Type.Optional(LastKnown),
  object_has: OptionalText(
    'What the attribute of the object says where it differs from the event: the gateway uses the event.',
  ),
})

export const KnownObject = named('KnownObject', {
  kind: oneOf(FOLLOWED_KINDS),
  object_id: Type.String(),
  states: Type.Record(Type.String(), KnownState, {
    description: 'By the name of the state, such as `id_status`. One that nobody has told is left out.',
  }),
  details: Type.Record(Type.String(), Type.String(), {
    description: 'Such as `location`, `slot_map`, `lot`, `task`.',
  }),
  since: Time('When the object was known first.'),
})
export type KnownObject = Static<typeof KnownObject>

/** What is known of a carrier, in examples. */
export const KNOWN_EXAMPLE: KnownObject = {
  kind: 'carrier',
  object_id: 'FOUP7',
  states: {
    id_status: {
      state: 'ID_VERIFICATION_OK',
      source: 'event',
      since: '2026-01-31T08:00:02.000Z',
      message_id: '97',
    },
  },
  details: { location: 'LP1' },
  since: '2026-01-31T08:00:01.000Z',
}

const BASE = { tag: 'gem300', params: ById } as const

export const gem300Endpoints = {
  getGem300: endpoint('GET /equipment/{id}/gem300', {
    ...BASE,
    summary: 'Read how the GEM 300 of equipment is mapped',
    description:
      'The mapping, and what the equipment replied when the gateway asked for its objects. Nothing is sent to the equipment.',
    access: 'viewer',
    reply: Gem300,
    errors: ['equipment_not_found'],
    examples: { reply: SHOWN },
  }),
  applyGem300: endpoint('PUT /equipment/{id}/gem300', {
    ...BASE,
    summary: 'Give the mapping of the GEM 300 of equipment',
    description:
      'Says which events and variables tell the states of ports, carriers, process jobs, control jobs, substrates and modules, and what differs from what most equipment takes. Equipment with a mapping, also with an empty one, is asked for its objects after each connect and when it comes online again, unless it has a `tap`. Names and numbers that the equipment does not have are refused, once its lists of names are known. Nothing is sent but questions.',
    access: 'engineer',
    query: input({
      dry_run: OptionalFlag('True: check the mapping, and keep nothing. Default: false.'),
    }),
    body: Gem300Mapping,
    reply: Gem300,
    errors: ['equipment_not_found', 'invalid_message'],
    audited: ['settings', 'variables', 'events', 'status'],
    examples: { body: EXAMPLE, reply: SHOWN },
  }),
  removeGem300: endpoint('DELETE /equipment/{id}/gem300', {
    ...BASE,
    summary: 'Remove the mapping of the GEM 300 of equipment',
    description:
      'The gateway does not follow the objects of the equipment any more. What it knew of them stays in the events.',
    access: 'engineer',
    reply: Gem300,
    errors: ['equipment_not_found'],
    examples: {
      reply: { ...SHOWN, mapping: null, applied_at: null, applied_by: null, aligned_at: null },
    },
  }),
  alignGem300: endpoint('POST /equipment/{id}/gem300/align', {
    ...BASE,
    summary: 'Ask equipment for all its objects',
    description:
      'Sends S16F19, S14F1 for load ports, carriers, control jobs and substrates, and S1F3 for the status variables of the mapping, and records what is new: as the gateway does by itself after a connect. Where an attribute differs from what an event has said since the connect, the gateway uses the event. If the equipment does not reply, the response is 200 with `note`.',
    access: 'operator',
    reply: Gem300,
    errors: TRANSACTION_ERRORS,
    examples: { reply: SHOWN },
  }),
  listKnownObjects: endpoint('GET /equipment/{id}/gem300/objects', {
    ...BASE,
    summary: 'List the ports, carriers, jobs, substrates and modules that are known',
    description:
      'What events and the last alignment have said, with the source of each state. Nothing is sent. The response has all in one page.',
    access: 'viewer',
    query: input({
      kind: Type.Optional(
        Type.Array(oneOf(FOLLOWED_KINDS), { description: 'Only objects of this kind; may be repeated.' }),
      ),
      object_id: OptionalText('Only the object with this ID.', { minLength: 1, maxLength: 256 }),
    }),
    reply: Page(KnownObject),
    errors: ['equipment_not_found'],
    examples: { reply: onePage([KNOWN_EXAMPLE]) },
  }),
  proposeGem300: endpoint('GET /equipment/{id}/gem300/proposal', {
    ...BASE,
    summary: 'Propose a mapping by the names that equipment gives',
    description:
      'Compares the names of the events and variables of the equipment with the spellings of many suppliers. Names that are not known yet are asked for (S1F23, S1F11, S1F21). Nothing is applied. Lines that are not certain are comments of the file: those in plain words, two events for one meaning, and one event for two.',
    access: 'viewer',
    query: input({
      known: OptionalFlag(
        'True: use the names that the gateway already has, and send nothing to the equipment. Default: false.',
      ),
    }),
    reply: named('Gem300Proposal', {
      file: Text('The mapping as YAML, with the reason for each line.'),
      certain: Type.Integer({ minimum: 0, description: 'Lines that count.' }),
      to_decide: Type.Integer({ minimum: 0, description: 'Lines that are comments.' }),
    }),
    errors: TRANSACTION_ERRORS,
    examples: {
      reply: {
        file: 'events:\n  - { event: CarrierSMTrans14, state: carrier.slot_map_status, to: WAITING_FOR_HOST } # 60014: number 14 of the transitions of a carrier\n',
        certain: 1,
        to_decide: 0,
      },
    },
  }),
  gem300Reports: endpoint('GET /equipment/{id}/gem300/reports', {
    ...BASE,
    summary: 'Read the event reports that the mapping needs',
    description:
      'A definition for `PUT /equipment/{id}/reports`: a report for each kind of object, and the events of the mapping with it; empty without a mapping. Other reports are kept. Nothing is sent.',
    access: 'viewer',
    reply: WantedReports,
    errors: ['equipment_not_found'],
    examples: {
      reply: {
        reports: [{ id: 8702, variables: ['CarrierID', 'SlotMap'] }],
        events: [{ event: 'CarrierSMTrans14', reports: [8702] }],
        others: 'keep',
      },
    },
  }),
} as const
