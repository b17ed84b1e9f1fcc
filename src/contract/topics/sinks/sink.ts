import { type Static, Type } from 'typebox'
import {
  allIgnored,
  described,
  Flag,
  NullableText,
  named,
  namedInput,
  nullable,
  oneOf,
  Text,
  Time,
} from '../../schema.js'
import { MAX_SELECTOR } from '../../selector.js'
import { EVENT_TYPES, EventName, MESSAGE_PATTERN } from '../events.js'
import { SINK_FORMATS, SinkMessage } from './sink-message.js'
import { SINK_KINDS, TARGETS } from './targets.js'

const Name = Type.String({
  component: 'SinkName',
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$',
  description:
    'Unique name: 1 to 64 letters, digits, dots, underscores and hyphens, a letter or digit first.',
})

const Equipment = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
  component: 'SinkEquipment',
  maxItems: 400,
  description: 'Ids or names of equipment, or patterns such as `etch-*`. Null: all.',
})
const Selector = Type.String({
  component: 'SinkLabelSelector',
  minLength: 1,
  maxLength: MAX_SELECTOR,
  description: 'Only equipment with these labels, such as `area=etch,bay!=3`. Null: all.',
})
const Types = Type.Array(oneOf(EVENT_TYPES), {
  component: 'EventTypes',
  minItems: 1,
  maxItems: EVENT_TYPES.length,
  description: 'Types of events. Null: all.',
})
const Names = Type.Array(EventName, {
  component: 'EventNames',
  minItems: 1,
  maxItems: 20,
  description: 'Names of events, such as `alarm_set`. Null: all.',
})
const Messages = Type.Array(Type.String({ pattern: MESSAGE_PATTERN }), {
  component: 'SinkMessageNames',
  minItems: 1,
  maxItems: 20,
  description:
    'Only these SECS messages, such as `S6F11`, or streams, such as `S6`, and no events of other types. Null: all.',
})
const Format = described(
  'SinkFormat',
  oneOf(
    SINK_FORMATS,
    '`event`: events as `GET /events` has them. `flat`: values by name, with units (FlatEvent). Default: `event`; of sparkplug always `flat`.',
  ),
)
const Secret = Type.String({
  component: 'SinkSecret',
  minLength: 1,
  maxLength: 1024,
  description:
    'Of a webhook: the key of its signatures (Standard Webhooks), `whsec_` and 24 to 64 bytes in base64. Of others: the password of the `user` of the target. No response contains it. Null: none. A change of the host or port of the target needs it again.',
})
const Start = Type.String({
  maxLength: 40,
  description:
    'Where delivery starts: `now` (default), `oldest`, or a time. In a change it moves the sink to there.',
})

const GIVEN = {
  ...TARGETS,
  equipment: Type.Optional(nullable(Equipment)),
  label_selector: Type.Optional(nullable(Selector)),
  types: Type.Optional(nullable(Types)),
  names: Type.Optional(nullable(Names)),
  messages: Type.Optional(nullable(Messages)),
  format: Type.Optional(Format),
  secret: Type.Optional(nullable(Secret)),
  start: Type.Optional(Start),
}
/** Members of a sink that no request sets. */
const KNOWN = {
  id: Type.String(),
  kind: oneOf(SINK_KINDS),
  signed: Flag('True: it has a secret: a webhook is signed, a broker gets a password.'),
  state: oneOf(
    ['active', 'failing', 'blocked', 'paused'],
    '`active`: delivers. `failing`: the last attempt failed, and is repeated. `blocked`: the list of dead letters is full, so nothing is delivered until some are retried. `paused`: by a call.',
  ),
  position: Text('Sequence number of the last entry of the journal that the sink has finished.'),
  lag_entries: Type.Integer({ minimum: 0, description: 'Entries of the journal after that.' }),
  lag_seconds: Type.Number({ minimum: 0, description: 'Age of the oldest of these entries; 0 without any.' }),
  delivered: Type.Integer({ minimum: 0, description: 'Messages delivered since the gateway started.' }),
  dead: Type.Integer({ minimum: 0, description: 'Dead letters.' }),
  last_delivered_at: nullable(Time('When the target last accepted a message; null since the start.')),
  last_error: nullable(
    Type.Object({
      detail: Text('What was wrong with the last attempt.'),
      attempts: Type.Integer({ minimum: 1, description: 'Failed attempts in a row.' }),
      at: Time('When it failed.'),
      retry_at: nullable(Time('When it is repeated.')),
    }),
  ),
  created_at: Time('When it was added.'),
  updated_at: Time('When it was last changed.'),
}

/** A record that was read may be sent again: its read-only members are ignored. */
const SETTINGS = { ...GIVEN, ...allIgnored(KNOWN) }

export const NewSink = namedInput('NewSink', { name: Name, ...SETTINGS })
export type NewSink = Static<typeof NewSink>
export const SinkChange = namedInput('SinkChange', { name: Type.Optional(Name), ...SETTINGS })
export type SinkChange = Static<typeof SinkChange>

/** What a request sets of a sink. */
export type Settings<Given> = Omit<Given, keyof typeof KNOWN>
export const sinkSettings = <Given extends object>(given: Given): Settings<Given> =>
  Object.fromEntries(Object.entries(given).filter(([name]) => !Object.hasOwn(KNOWN, name))) as Given

const { id, kind, ...STATUS } = KNOWN
export const Sink = named('Sink', {
  id,
  name: Name,
  kind,
  ...TARGETS,
  equipment: nullable(Equipment),
  label_selector: nullable(Selector),
  types: nullable(Types),
  names: nullable(Names),
  messages: nullable(Messages),
  format: Format,
  ...STATUS,
})
export type Sink = Static<typeof Sink>

export const SinkTest = named('SinkTest', {
  delivered: Flag('True: the target has accepted the message.'),
  detail: NullableText('Why not; null if it has.'),
  message: SinkMessage,
})
export type SinkTest = Static<typeof SinkTest>
