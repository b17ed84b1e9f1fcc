import { both, equipment, host, stream } from '../message-row.js'

const WAFER = '<L <MID> <IDTYP>>'
const ROWS = '<L <MID> <IDTYP> <L ROWS... <L <RSINF> <BINLT>>>>'
const ARRAY = '<L <MID> <IDTYP> <STRP> <BINLT>>'
const POINTS = '<L <MID> <IDTYP> <L POINTS... <L <XYPOS> <BINLT>>>>'

/** Stream 12: wafer maps, in rows (type 1), as an array (type 2) or as coordinates (type 3). */
export const STREAM_12 = stream(
  { ifab: 'F1 F3-F4', 'ifab, hume': 'F2 F5-F19' },
  equipment(
    'S12F1 W',
    'Map Set-up Data Send',
    [
      '<L <MID> <IDTYP> <FNLOC> <FFROT> <ORLOC> <RPSEL> <L <REFP>...> <DUTMS> <XDIES> <YDIES>',
      '<ROWCT> <COLCT> <NULBC> <PRDCT> <PRAXI>>',
    ].join(' '),
  ),
  host('S12F2', 'Map Set-up Data Acknowledge', '<SDACK>'),
  equipment('S12F3 W', 'Map Set-up Data Request', [
    '<L <MID> <IDTYP> <MAPFT> <FNLOC> <FFROT> <ORLOC> <PRAXI> <BCEQU> <NULBC>>',
  ]),
  host(
    'S12F4',
    'Map Set-up Data',
    [
      '<L <MID> <IDTYP> <FNLOC> <ORLOC> <RPSEL> <L <REFP>...> <DUTMS> <XDIES> <YDIES>',
      '<ROWCT> <COLCT> <PRDCT> <BCEQU> <NULBC> <MLCL>>',
    ].join(' '),
  ),
  equipment('S12F5 W', 'Map Transmit Inquire', '<L <MID> <IDTYP> <MAPFT> <MLCL>>'),
  host('S12F6', 'Map Transmit Grant', '<GRNT1>'),
  equipment('S12F7 W', 'Map Data Send Type 1', ROWS),
  host('S12F8', 'Map Data Acknowledge Type 1', '<MDACK>'),
  equipment('S12F9 W', 'Map Data Send Type 2', ARRAY),
  host('S12F10', 'Map Data Acknowledge Type 2', '<MDACK>'),
  equipment('S12F11 W', 'Map Data Send Type 3', POINTS),
  host('S12F12', 'Map Data Acknowledge Type 3', '<MDACK>'),
  equipment('S12F13 W', 'Map Data Request Type 1', WAFER),
  host('S12F14', 'Map Data Type 1', ROWS),
  equipment('S12F15 W', 'Map Data Request Type 2', WAFER),
  host('S12F16', 'Map Data Type 2', ARRAY),
  equipment('S12F17 W', 'Map Data Request Type 3', '<L <MID> <IDTYP> <SDBIN>>'),
  host('S12F18', 'Map Data Type 3', POINTS),
  both('S12F19', 'Map Error Report Send', '<L <MAPER> <DATLC>>'),
)
