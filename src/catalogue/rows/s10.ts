import { primary, secondary } from '../message-row.js'

/** Stream 10: terminal services. */
export const STREAM_10 = [
  primary(10, 1, 'Terminal Request', 'equipment', 'optional', {
    structure: '<L <TID> <TEXT>>',
    source: 'secsgem',
  }),
  secondary(10, 2, 'Terminal Request Acknowledge', 'host', { structure: '<ACKC10>', source: 'secsgem' }),
  primary(10, 3, 'Terminal Display, Single', 'host', 'optional', {
    structure: '<L <TID> <TEXT>>',
    source: 'secsgem',
  }),
  secondary(10, 4, 'Terminal Display, Single Acknowledge', 'equipment', {
    structure: '<ACKC10>',
    source: 'secsgem',
  }),
  primary(10, 5, 'Terminal Display, Multi-block', 'host', 'optional', {
    structure: '<L <TID> <L <TEXT>...>>',
    source: 'asymtek',
  }),
  secondary(10, 6, 'Terminal Display, Multi-block Acknowledge', 'equipment', {
    structure: '<ACKC10>',
    source: 'siplace',
  }),
  primary(10, 7, 'Multi-block Not Allowed', 'equipment', 'forbidden', {
    structure: '<TID>',
    source: 'hume',
    confirmedBy: ['ifab'],
  }),
  primary(10, 9, 'Broadcast', 'host', 'optional', { structure: '<TEXT>', source: 'siplace' }),
  secondary(10, 10, 'Broadcast Acknowledge', 'equipment', { structure: '<ACKC10>', source: 'siplace' }),
] as const
