import { type Static, Type } from 'typebox'
import { EVENT_TYPES } from './events.js'
import { EquipmentIds, oneOf, Time, TimeRange } from './schema.js'

/** Types of journal entries: the event types, and records of requests with an `Idempotency-Key`. */
export const JOURNAL_TYPES = [...EVENT_TYPES, 'idempotency'] as const

export const JournalEntry = Type.Object({
  seq: Type.Integer({
    minimum: 1,
    description: 'Sequence number of the entry. It is also the id of the event, message or alarm.',
  }),
  at: Time('When it happened.'),
  key: Type.String({ description: 'The id of the equipment.' }),
  type: oneOf(JOURNAL_TYPES),
  name: Type.String({ description: 'What happened, such as `selected` or `message_received`.' }),
  topic: Type.Optional(Type.String({ description: 'For a message: stream and function, such as S6F11.' })),
  data: Type.Record(Type.String(), Type.Unknown(), {
    description: 'For a message: the header and the exact bytes of the body in Base64.',
  }),
})
export type JournalEntry = Static<typeof JournalEntry>

const EntryNumber = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description }))

export const JournalExportQuery = Type.Object(
  {
    equipment_id: EquipmentIds,
    type: Type.Optional(
      Type.Array(oneOf(JOURNAL_TYPES), {
        description: 'Type of the entry; may be repeated. Default: all types.',
      }),
    ),
    ...TimeRange,
    after: EntryNumber(
      'Only entries with a higher `seq`. Use it to continue after an answer that was interrupted.',
    ),
    before: EntryNumber('Only entries with a lower `seq`.'),
  },
  { additionalProperties: false },
)
export type JournalExportQuery = Static<typeof JournalExportQuery>
