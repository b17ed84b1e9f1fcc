import { type MessageRow, primary, secondary } from './message-row.js'

const FORMATTED = '<L <PPID> <MDLN> <SOFTREV> <L COMMANDS... <L <CCODE> <L <PPARM>...>>>>'

/** Stream 7: process programs. */
export const STREAM_7: readonly MessageRow[] = [
  primary(7, 1, 'Process Program Load Inquire', 'both', 'required', {
    structure: '<L <PPID> <LENGTH>>',
    source: 'secsgem',
  }),
  secondary(7, 2, 'Process Program Load Grant', 'both', { structure: '<PPGNT>', source: 'secsgem' }),
  primary(7, 3, 'Process Program Send', 'both', 'required', {
    structure: '<L <PPID> <PPBODY>>',
    source: 'secsgem',
  }),
  secondary(7, 4, 'Process Program Acknowledge', 'both', { structure: '<ACKC7>', source: 'secsgem' }),
  primary(7, 5, 'Process Program Request', 'both', 'required', { structure: '<PPID>', source: 'secsgem' }),
  secondary(7, 6, 'Process Program Data', 'both', { structure: '<L? <PPID> <PPBODY>>', source: 'asymtek' }),
  primary(7, 17, 'Delete Process Program Send', 'host', 'required', {
    structure: '<L <PPID>...>',
    source: 'secsgem',
  }),
  secondary(7, 18, 'Delete Process Program Acknowledge', 'equipment', {
    structure: '<ACKC7>',
    source: 'secsgem',
  }),
  primary(7, 19, 'Current EPPD Request', 'host', 'required', { structure: '', source: 'secsgem' }),
  secondary(7, 20, 'Current EPPD Data', 'equipment', { structure: '<L <PPID>...>', source: 'secsgem' }),
  primary(7, 23, 'Formatted Process Program Send', 'both', 'required', {
    structure: FORMATTED,
    source: 'nikon',
  }),
  secondary(7, 24, 'Formatted Process Program Acknowledge', 'both', {
    structure: '<ACKC7>',
    source: 'nikon',
  }),
  primary(7, 25, 'Formatted Process Program Request', 'both', 'required', {
    structure: '<PPID>',
    source: 'secsgemdocs',
  }),
  secondary(7, 26, 'Formatted Process Program Data', 'both', { structure: FORMATTED, source: 'secsgemdocs' }),
]
