import { both, equipment, host, stream } from '../message-row.js'

const RESULT = '<L <ITEMACK> <ITEMERROR>>'

/** Stream 21: items of any kind, whole or in parts. */
export const STREAM_21 = stream(
  { 'hume, xcom': 'F1-F12 F19-F20', hume: 'F13-F18' },
  both('S21F1 W', 'Item Load Inquire', '<L <ITEMTYPE> <ITEMID> <ITEMLENGTH> <ITEMVERSION>>'),
  both('S21F2', 'Item Load Grant', RESULT),
  both('S21F3 W', 'Item Send', '<L <ITEMTYPE> <ITEMID> <ITEMLENGTH> <ITEMVERSION> <L <ITEMPART>...>>'),
  both('S21F4', 'Item Send Acknowledge', RESULT),
  both('S21F5 W', 'Item Request', '<L <ITEMTYPE> <ITEMID>>'),
  both('S21F6', 'Item Data', [
    '<L <ITEMACK> <ITEMERROR> <ITEMTYPE> <ITEMID> <ITEMLENGTH> <ITEMVERSION> <L <ITEMPART>...>>',
  ]),
  both('S21F7 W', 'Item Type List Request', '<ITEMTYPE>'),
  both('S21F8', 'Item Type List Results', [
    '<L <ITEMACK> <ITEMERROR> <ITEMTYPE> <L ITEMS... <L <ITEMID> <ITEMLENGTH> <ITEMVERSION>>>>',
  ]),
  both('S21F9 W', 'Supported Item Type List Request'),
  both('S21F10', 'Supported Item Type List Result', '<L <ITEMACK> <ITEMERROR> <L <ITEMTYPE>...>>'),
  host('S21F11 [W]', 'Item Delete', '<L <ITEMTYPE> <L <ITEMID>...>>'),
  equipment('S21F12', 'Item Delete Acknowledge', [
    '<L <ITEMACK> <ITEMTYPE> <L ITEMS... <L <ITEMID> <ITEMACK> <ITEMERROR>>>>',
  ]),
  both('S21F13 W', 'Request Permission to Send Item', [
    '<L <ITEMTYPE> <ITEMID> <ITEMLENGTH> <ITEMVERSION> <ITEMPARTCOUNT>>',
  ]),
  both('S21F14', 'Grant Permission to Send Item', RESULT),
  both('S21F15 W', 'Item Request', '<L <ITEMTYPE> <ITEMID>>'),
  both('S21F16', 'Item Request Grant', [
    '<L <ITEMACK> <ITEMERROR> <ITEMTYPE> <ITEMID> <ITEMLENGTH> <ITEMVERSION> <ITEMPARTCOUNT>>',
  ]),
  both('S21F17 W', 'Send Item Part', [
    '<L <ITEMTYPE> <ITEMID> <ITEMLENGTH> <ITEMVERSION> <ITEMINDEX> <ITEMPARTCOUNT> <ITEMPARTLENGTH> <ITEMPART>>',
  ]),
  both('S21F18', 'Send Item Part Acknowledge', RESULT),
  both('S21F19 W', 'Item Type Feature Support', '<L <ITEMTYPE>...>'),
  both('S21F20', 'Item Type Feature Support Results', [
    '<L TYPES... <L <ITEMACK> <ITEMERROR> <ITEMTYPE> <ITEMTYPESUPPORT>>>',
  ]),
)
