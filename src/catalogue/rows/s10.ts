import { equipment, host, stream } from '../message-row.js'

/** Stream 10: terminal services. */
export const STREAM_10 = stream(
  { 'secsgem, semirs': 'F1-F4', asymtek: 'F5', siplace: 'F6 F9-F10', 'hume, ifab': 'F7' },
  equipment('S10F1 [W]', 'Terminal Request', '<L <TID> <TEXT>>'),
  host('S10F2', 'Terminal Request Acknowledge', '<ACKC10>'),
  host('S10F3 [W]', 'Terminal Display, Single', '<L <TID> <TEXT>>'),
  equipment('S10F4', 'Terminal Display, Single Acknowledge', '<ACKC10>'),
  host('S10F5 [W]', 'Terminal Display, Multi-block', '<L <TID> <L <TEXT>...>>'),
  equipment('S10F6', 'Terminal Display, Multi-block Acknowledge', '<ACKC10>'),
  equipment('S10F7', 'Multi-block Not Allowed', '<TID>'),
  host('S10F9 [W]', 'Broadcast', '<TEXT>'),
  equipment('S10F10', 'Broadcast Acknowledge', '<ACKC10>'),
)
