import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.js'
import { named, namedInput, nullable, oneOf, Text, Time } from '../schema.js'
import { Acknowledged, acknowledgedAs, Code, NamedValue } from '../values.js'
import { READS, WRITES } from './messages.js'

const Functions = (description: string) =>
  Type.Array(Type.Integer({ minimum: 1, maximum: 255 }), { description })
const StreamNumber = Type.Integer({ minimum: 1, maximum: 127, description: 'STRID.' })

export const SpooledStream = named('SpooledStream', {
  stream: Type.Integer({ minimum: 0, maximum: 255, description: 'STRID.' }),
  functions: Type.Array(Type.Integer({ minimum: 0, maximum: 255 }), {
    description: 'FCNIDs; empty: all functions of the stream.',
  }),
})
export type SpooledStream = Static<typeof SpooledStream>

const SpoolChoice = Type.Object({
  streams: Type.Array(SpooledStream, { description: 'Empty: nothing is spooled.' }),
  known_from: oneOf(
    ['equipment', 'journal'],
    '`equipment`: it replied to S2F59. `journal`: it does not know S2F59; this is the last S2F43 of the gateway that it accepted, and another host may have changed it since.',
  ),
  at: Time('When that message was received.'),
  message_id: Text('Id of the recorded S2F60, or of that S2F43.'),
})

export const Spool = named('Spool', {
  values: Type.Array(NamedValue, {
    description:
      'Values of all status variables and constants whose names contain `spool`, such as SpoolCountActual, SpoolStartTime and MaxSpoolTransmit. GEM has no other message that says what the spool holds: where this is empty, it cannot be asked.',
  }),
  spooled: nullable(
    Type.Object(SpoolChoice.properties, {
      description:
        'The messages that are chosen to be spooled; a constant of the equipment, such as ConfigSpool, may still turn spooling off. Null where that is not known: it does not reply to S2F59, and the journal has no S2F43 that it accepted.',
    }),
  ),
})
export type Spool = Static<typeof Spool>

const SpoolFault = named('SpoolFault', {
  ...SpooledStream.properties,
  strack: Code('STRACK.'),
  strack_text: Type.String(),
})
export type SpoolFault = Static<typeof SpoolFault>

const SpoolChanged = named('SpoolChanged', {
  ...Acknowledged('rspack'),
  faults: Type.Array(SpoolFault, { description: 'What the equipment refused; empty where it accepted.' }),
})

const SpoolRequested = named(
  'SpoolRequested',
  Acknowledged('rsda', 'True for RSDA 0 (accepted) and 2 (nothing is spooled).'),
)

const ACCEPTED = acknowledgedAs('rsda', 61)

export const spoolEndpoints = {
  getSpool: endpoint('GET /equipment/{id}/spool', {
    ...READS,
    tag: 'spool',
    summary: 'Read the state of the spool',
    description:
      'Sends S1F3 and S2F13 for the variables and constants about the spool (S1F11 and S2F29 before it where their names are not known), and S2F59 for what is spooled, unless the equipment is known not to reply to it.',
    reply: Spool,
    examples: {
      reply: {
        values: [{ id: '106', name: 'SpoolCountActual', unit: '', value: { U4: [12] }, text: '12' }],
        spooled: {
          streams: [{ stream: 6, functions: [11] }],
          known_from: 'equipment',
          at: '2026-01-31T08:00:00.000Z',
          message_id: '62',
        },
      },
    },
  }),
  setSpool: endpoint('PUT /equipment/{id}/spool', {
    ...WRITES,
    tag: 'spool',
    summary: 'Choose the messages that are spooled',
    description:
      'Sends S2F43, which replaces the choice before. An empty list: nothing is spooled. Stream 1 cannot be spooled. If the equipment refuses, the response is 200 with `accepted` false, `faults` has the reasons, and the choice before stays.',
    body: namedInput('SpoolChange', {
      streams: Type.Array(
        namedInput('NewSpooledStream', {
          stream: StreamNumber,
          functions: Type.Optional(Functions('FCNIDs. Default: all functions of the stream.')),
        }),
      ),
    }),
    reply: SpoolChanged,
    audited: ['streams'],
    examples: {
      body: { streams: [{ stream: 5, functions: [1] }, { stream: 6 }] },
      reply: { ...acknowledgedAs('rspack', 61), faults: [] },
    },
  }),
  transmitSpool: endpoint('POST /equipment/{id}/spool/transmit', {
    ...WRITES,
    tag: 'spool',
    summary: 'Request the spooled messages',
    description:
      'Sends S6F23 with RSDC 0. The messages come afterwards, and have `may_be_spooled`. Equipment with a limit (MaxSpoolTransmit) sends so many, and is asked again for the next. The gateway makes this request itself after every connect, unless `gem_startup` is false.',
    access: 'operator',
    reply: SpoolRequested,
    examples: { reply: ACCEPTED },
  }),
  purgeSpool: endpoint('POST /equipment/{id}/spool/purge', {
    ...WRITES,
    tag: 'spool',
    summary: 'Delete the spooled messages',
    description:
      'Sends S6F23 with RSDC 1. The equipment deletes all messages in its spool: they reach nobody.',
    reply: SpoolRequested,
    examples: { reply: ACCEPTED },
  }),
} as const
