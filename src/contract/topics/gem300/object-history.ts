import type { Static } from 'typebox'
import { input, named, Paging, Text, Time, TimeRange } from '../../schema.js'
import { ObjectChange } from '../event-data.js'

/** Query of the recorded changes of objects. */
export const ObjectHistoryQuery = input({ ...TimeRange, ...Paging })
export type ObjectHistoryQuery = Static<typeof ObjectHistoryQuery>

/** A change of the state of an object, as it was recorded. */
export const RecordedObjectChange = named('RecordedObjectChange', {
  id: Text('Id of the event.'),
  at: Time('When the message that said so came.'),
  ...ObjectChange.properties,
})
export type RecordedObjectChange = Static<typeof RecordedObjectChange>

/** Errors of a list of them. */
export const HISTORY_ERRORS = ['equipment_not_found', 'invalid_cursor', 'cursor_expired'] as const
