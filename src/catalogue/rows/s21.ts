import { primary, secondary } from '../message-row.js'

const RESULT = '<L <ITEMACK> <ITEMERROR>>'

/** Stream 21: items of any kind, whole or in parts. */
export const STREAM_21 = [
  primary(21, 1, 'Item Load Inquire', 'both', 'required', {
    structure: '<L <ITEMTYPE> <ITEMID> <ITEMLENGTH> <ITEMVERSION>>',
    source: 'hume',
    confirmedBy: ['xcom'],
  }),
  secondary(21, 2, 'Item Load Grant', 'both', { structure: RESULT, source: 'hume', confirmedBy: ['xcom'] }),
  primary(21, 3, 'Item Send', 'both', 'required', {
    structure: '<L <ITEMTYPE> <ITEMID> <ITEMLENGTH> <ITEMVERSION> <L <ITEMPART>...>>',
    source: 'hume',
    confirmedBy: ['xcom'],
  }),
  secondary(21, 4, 'Item Send Acknowledge', 'both', {
    structure: RESULT,
    source: 'hume',
    confirmedBy: ['xcom'],
  }),
  primary(21, 5, 'Item Request', 'both', 'required', {
    structure: '<L <ITEMTYPE> <ITEMID>>',
    source: 'hume',
    confirmedBy: ['xcom'],
  }),
  secondary(21, 6, 'Item Data', 'both', {
    structure: '<L <ITEMACK> <ITEMERROR> <ITEMTYPE> <ITEMID> <ITEMLENGTH> <ITEMVERSION> <L <ITEMPART>...>>',
    source: 'hume',
    confirmedBy: ['xcom'],
  }),
  primary(21, 7, 'Item Type List Request', 'both', 'required', {
    structure: '<ITEMTYPE>',
    source: 'hume',
    confirmedBy: ['xcom'],
  }),
  secondary(21, 8, 'Item Type List Results', 'both', {
    structure: '<L <ITEMACK> <ITEMERROR> <ITEMTYPE> <L ITEMS... <L <ITEMID> <ITEMLENGTH> <ITEMVERSION>>>>',
    source: 'hume',
    confirmedBy: ['xcom'],
  }),
  primary(21, 9, 'Supported Item Type List Request', 'both', 'required', {
    structure: '',
    source: 'hume',
    confirmedBy: ['xcom'],
  }),
  secondary(21, 10, 'Supported Item Type List Result', 'both', {
    structure: '<L <ITEMACK> <ITEMERROR> <L <ITEMTYPE>...>>',
    source: 'hume',
    confirmedBy: ['xcom'],
  }),
  primary(21, 11, 'Item Delete', 'host', 'optional', {
    structure: '<L <ITEMTYPE> <L <ITEMID>...>>',
    source: 'hume',
    confirmedBy: ['xcom'],
  }),
  secondary(21, 12, 'Item Delete Acknowledge', 'equipment', {
    structure: '<L <ITEMACK> <ITEMTYPE> <L ITEMS... <L <ITEMID> <ITEMACK> <ITEMERROR>>>>',
    source: 'hume',
    confirmedBy: ['xcom'],
  }),
  primary(21, 13, 'Request Permission to Send Item', 'both', 'required', {
    structure: '<L <ITEMTYPE> <ITEMID> <ITEMLENGTH> <ITEMVERSION> <ITEMPARTCOUNT>>',
    source: 'hume',
  }),
  secondary(21, 14, 'Grant Permission to Send Item', 'both', { structure: RESULT, source: 'hume' }),
  primary(21, 15, 'Item Request', 'both', 'required', {
    structure: '<L <ITEMTYPE> <ITEMID>>',
    source: 'hume',
  }),
  secondary(21, 16, 'Item Request Grant', 'both', {
    structure: '<L <ITEMACK> <ITEMERROR> <ITEMTYPE> <ITEMID> <ITEMLENGTH> <ITEMVERSION> <ITEMPARTCOUNT>>',
    source: 'hume',
  }),
  primary(21, 17, 'Send Item Part', 'both', 'required', {
    structure:
      '<L <ITEMTYPE> <ITEMID> <ITEMLENGTH> <ITEMVERSION> <ITEMINDEX> <ITEMPARTCOUNT> <ITEMPARTLENGTH> <ITEMPART>>',
    source: 'hume',
  }),
  secondary(21, 18, 'Send Item Part Acknowledge', 'both', { structure: RESULT, source: 'hume' }),
  primary(21, 19, 'Item Type Feature Support', 'both', 'required', {
    structure: '<L <ITEMTYPE>...>',
    source: 'hume',
    confirmedBy: ['xcom'],
  }),
  secondary(21, 20, 'Item Type Feature Support Results', 'both', {
    structure: '<L TYPES... <L <ITEMACK> <ITEMERROR> <ITEMTYPE> <ITEMTYPESUPPORT>>>',
    source: 'hume',
    confirmedBy: ['xcom'],
  }),
] as const
