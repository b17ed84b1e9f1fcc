import { both, equipment, host, stream } from '../message-row.js'

/** Of equipment; some hosts send their own too. */
const IDENTITY = '<L <MDLN> <SOFTREV>>'

/** Stream 1: equipment status. */
export const STREAM_1 = stream(
  {
    'secsgem, semirs': 'F1-F2 F4 F11-F18 F21-F24',
    secsgemnet: 'F3 F9-F10 F19-F20',
    semirs: 'F5 F7',
    hume: 'F6 F8',
  },
  both('S1F1 W', 'Are You There Request'),
  equipment('S1F2', 'On Line Data', IDENTITY),
  host('S1F2', 'On Line Data', ['<L>', IDENTITY]),
  host('S1F3 W', 'Selected Equipment Status Request', ['<L <SVID>...>', '<SVID...>']),
  equipment('S1F4', 'Selected Equipment Status Data', '<L <SV>...>'),
  host('S1F5 W', 'Formatted Status Request', '<SFCD>'),
  equipment('S1F6', 'Formatted Status Data', ['<L <SV>...>', '<SV>']),
  host('S1F7 W', 'Fixed Form Request', '<SFCD>'),
  equipment('S1F8', 'Fixed Form Data', ['<L ROWS... <L <SVNAME> <SV0>>>', '<SV0>']),
  host('S1F9 W', 'Material Transfer Status Request'),
  equipment('S1F10', 'Material Transfer Status Data', '<L <TSIP...> <TSOP...>>'),
  host('S1F11 W', 'Status Variable Namelist Request', ['<L <SVID>...>', '<SVID...>']),
  equipment('S1F12', 'Status Variable Namelist Reply', '<L ROWS... <L <SVID> <SVNAME> <UNITS>>>'),
  host('S1F13 W', 'Establish Communications Request', ['<L>', IDENTITY]),
  equipment('S1F13 W', 'Establish Communications Request', IDENTITY),
  host('S1F14', 'Establish Communications Acknowledge', ['<L <COMMACK> <L>>', `<L <COMMACK> ${IDENTITY}>`]),
  equipment('S1F14', 'Establish Communications Acknowledge', '<L <COMMACK> <L? <MDLN> <SOFTREV>>>'),
  host('S1F15 W', 'Request Off-Line'),
  equipment('S1F16', 'Off-Line Acknowledge', '<OFLACK>'),
  host('S1F17 W', 'Request On-Line'),
  equipment('S1F18', 'On-Line Acknowledge', '<ONLACK>'),
  both('S1F19 W', 'Get Attribute', '<L <OBJTYPE> <L <OBJID>...> <L <ATTRID>...>>'),
  both('S1F20', 'Attribute Data', [
    '<L <L OBJECTS... <L <ATTRDATA>...>> <L ERRORS... <L <ERRCODE> <ERRTEXT>>>>',
  ]),
  host('S1F21 W', 'Data Variable Namelist Request', '<L <VID>...>'),
  equipment('S1F22', 'Data Variable Namelist', '<L ROWS... <L <VID> <DVVALNAME> <UNITS>>>'),
  host('S1F23 W', 'Collection Event Namelist Request', '<L <CEID>...>'),
  equipment('S1F24', 'Collection Event Namelist', '<L ROWS... <L <CEID> <CENAME> <L <VID>...>>>'),
)
