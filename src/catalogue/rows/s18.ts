import { equipment, host, stream } from '../message-row.js'

const RESULT = '<L <TARGETID> <SSACK> <L <STATUS>...>>'

/** Stream 18: subsystems, such as readers of carrier IDs (SEMI E99). */
export const STREAM_18 = stream(
  { 'hume, ifab': 'F1 F3-F5 F7-F13', hume: 'F2 F6 F14-F16' },
  host('S18F1 W', 'Read Attribute Request', '<L <TARGETID> <L <ATTRID>...>>'),
  equipment('S18F2', 'Read Attribute Data', [
    '<L <TARGETID> <SSACK> <L <ATTRDATA>...> <L <STATUS>...>>',
    '<L <TARGETID> <SSACK> <L <ATTRDATA>...>>',
  ]),
  host('S18F3 W', 'Write Attribute Request', '<L <TARGETID> <L ATTRIBUTES... <L <ATTRID> <ATTRDATA>>>>'),
  equipment('S18F4', 'Write Attribute Acknowledge', RESULT),
  host('S18F5 W', 'Read Request', '<L <TARGETID> <DATASEG> <DATALENGTH>>'),
  equipment('S18F6', 'Read Data', [
    '<L <TARGETID> <SSACK> <DATA> <L <STATUS>...>>',
    '<L <TARGETID> <SSACK> <DATA>>',
  ]),
  host('S18F7 W', 'Write Data Request', '<L <TARGETID> <DATASEG> <DATALENGTH> <DATA>>'),
  equipment('S18F8', 'Write Data Acknowledge', RESULT),
  host('S18F9 W', 'Read ID Request', '<TARGETID>'),
  equipment('S18F10', 'Read ID Data', '<L <TARGETID> <SSACK> <MID> <L <STATUS>...>>'),
  host('S18F11 W', 'Write ID Request', '<L <TARGETID> <MID>>'),
  equipment('S18F12', 'Write ID Acknowledge', RESULT),
  host('S18F13 W', 'Subsystem Command Request', '<L <TARGETID> <SSCMD> <L <CPVAL>...>>'),
  equipment('S18F14', 'Subsystem Command Acknowledge', RESULT),
  host('S18F15 W', 'Read 2D Code Condition Request', '<TARGETID>'),
  equipment('S18F16', 'Read 2D Code Condition Data', [
    '<L <TARGETID> <SSACK> <MID> <L <STATUS>...> <L <CONDITION>...>>',
  ]),
)
