import { equipment, stream } from '../message-row.js'

/** Stream 9: messages that the equipment could not process. The body is the header of the message in question. */
export const STREAM_9 = stream(
  'secsgem, hume',
  equipment('S9F1', 'Unrecognized Device ID', '<MHEAD>'),
  equipment('S9F3', 'Unrecognized Stream Type', '<MHEAD>'),
  equipment('S9F5', 'Unrecognized Function Type', '<MHEAD>'),
  equipment('S9F7', 'Illegal Data', '<MHEAD>'),
  equipment('S9F9', 'Transaction Timer Timeout', '<SHEAD>'),
  equipment('S9F11', 'Data Too Long', '<MHEAD>'),
  equipment('S9F13', 'Conversation Timeout', '<L <MEXP> <EDID>>'),
)
