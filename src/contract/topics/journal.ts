import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.js'
import { LabelSelector } from '../labels.js'
import { EquipmentIds, input, named, OptionalText, oneOf, Text, Time, TimeRange } from '../schema.js'
import { EVENT_TYPES } from './events.js'

/**
 * Types of journal entries: the event types, records of requests with an `Idempotency-Key`, who sent a message, and
 * which daemon has taken which equipment.
 */
export const JOURNAL_TYPES = [...EVENT_TYPES, 'idempotency', 'audit', 'ownership'] as const

export const JournalEntry = named('JournalEntry', {
  seq: Type.Integer({
    minimum: 1,
    description: 'Sequence number of the entry. It is also the id of the event, message or alarm.',
  }),
  at: Time('When it happened.'),
  key: Text('The id of the equipment; empty in an entry that is of none.'),
  type: oneOf(JOURNAL_TYPES),
  name: Text('What happened, such as `selected` or `message_received`.'),
  topic: OptionalText('For a message: stream and function, such as S6F11.'),
  data: Type.Record(Type.String(), Type.Unknown(), {
    description: 'For a message: the header and the exact bytes of the body in Base64.',
  }),
})
export type JournalEntry = Static<typeof JournalEntry>

const EntryNumber = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description }))

export const JournalExportQuery = input({
  equipment_id: EquipmentIds,
  label_selector: LabelSelector,
  type: Type.Optional(
    Type.Array(oneOf(JOURNAL_TYPES), {
      description: 'Type of the entry; may be repeated. Default: all types.',
    }),
  ),
  ...TimeRange,
  after: EntryNumber(
    'Only entries with a higher `seq`. Use it to continue after a response that was interrupted.',
  ),
  before: EntryNumber('Only entries with a lower `seq`.'),
})
export type JournalExportQuery = Static<typeof JournalExportQuery>

export const journalEndpoints = {
  exportJournal: endpoint('GET /journal/export', {
    tag: 'journal',
    summary: 'Export the journal',
    description:
      'All entries that are stored at the time of the call, oldest first, one JSON object on each line. The records of the other calls are made from these entries. If the gateway cannot send the whole response, it closes the connection without the last chunk; continue with `after` set to the `seq` of the last complete line. Entries that retention deletes during the export are left out. `label_selector` selects by the labels that the equipment has when the export begins; equipment that was removed has none.',
    access: 'admin',
    query: JournalExportQuery,
    reply: JournalEntry,
    media: ['application/x-ndjson'],
    errors: ['rate_limited', 'quota_exceeded'],
    examples: {
      reply: {
        seq: 41,
        at: '2026-01-31T08:00:00.000Z',
        key: 'eq_8d1f03c6a95e',
        type: 'state',
        name: 'control_state',
        data: { from: 'UNKNOWN', to: 'ONLINE_REMOTE', cause: 'answered' },
      },
    },
  }),
} as const
