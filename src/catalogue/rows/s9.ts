import { primary } from '../message-row.js'

/** Stream 9: what the equipment could not take. The body is the header of the message complained about. */
export const STREAM_9 = [
  primary(9, 1, 'Unrecognized Device ID', 'equipment', 'forbidden', {
    structure: '<MHEAD>',
    source: 'secsgem',
  }),
  primary(9, 3, 'Unrecognized Stream Type', 'equipment', 'forbidden', {
    structure: '<MHEAD>',
    source: 'secsgem',
  }),
  primary(9, 5, 'Unrecognized Function Type', 'equipment', 'forbidden', {
    structure: '<MHEAD>',
    source: 'secsgem',
  }),
  primary(9, 7, 'Illegal Data', 'equipment', 'forbidden', { structure: '<MHEAD>', source: 'secsgem' }),
  primary(9, 9, 'Transaction Timer Timeout', 'equipment', 'forbidden', {
    structure: '<SHEAD>',
    source: 'secsgem',
  }),
  primary(9, 11, 'Data Too Long', 'equipment', 'forbidden', { structure: '<MHEAD>', source: 'secsgem' }),
  primary(9, 13, 'Conversation Timeout', 'equipment', 'forbidden', {
    structure: '<L <MEXP> <EDID>>',
    source: 'secsgem',
  }),
] as const
