import { type Static, Type } from 'typebox'
import { EVENT_TYPES } from './events.js'
import { EquipmentIds, oneOf, Time, TimeRange } from './schema.js'

/** What there is in the journal: events, and what is on record of requests with an `Idempotency-Key`. */
export const JOURNAL_TYPES = [...EVENT_TYPES, 'idempotency'] as const

export const JournalEntry = Type.Object({
  seq: Type.Integer({
    minimum: 1,
    description: 'Its number: the id of the event, message or alarm that it is.',
  }),
  at: Time('When it happened.'),
  key: Type.String({ description: 'The id of the equipment.' }),
  type: oneOf(JOURNAL_TYPES),
  name: Type.String({ description: 'What happened, such as `selected` or `message_received`.' }),
  topic: Type.Optional(Type.String({ description: 'Of a message its stream and function, such as S6F11.' })),
  data: Type.Record(Type.String(), Type.Unknown(), {
    description: 'Of a message the header and the exact bytes of its body (base64).',
  }),
})
export type JournalEntry = Static<typeof JournalEntry>

const EntryNumber = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description }))

export const JournalExportQuery = Type.Object(
  {
    equipment_id: EquipmentIds,
    type: Type.Optional(Type.Array(oneOf(JOURNAL_TYPES), { description: 'May be given more than once.' })),
    ...TimeRange,
    after: EntryNumber('Only entries with a higher number: where to go on after an answer that was cut.'),
    before: EntryNumber('Only entries with a lower number.'),
  },
  { additionalProperties: false },
)
export type JournalExportQuery = Static<typeof JournalExportQuery>
