import { equipment, host, stream } from '../message-row.js'

/** Stream 17: reports, traces and event links of the modules of an equipment (SEMI E53). */
export const STREAM_17 = stream(
  { 'bee, hume': 'F1-F4 F6-F10 F12-F13', 'hume, ifab': 'F5 F11 F14' },
  host('S17F1 W', 'Data Report Create Request', '<L <DATAID> <RPTID> <DATASRC> <L <VID>...>>'),
  equipment('S17F2', 'Data Report Create Acknowledge', '<L <RPTID> <ERRCODE>>'),
  host('S17F3 W', 'Data Report Delete Request', '<L <RPTID>...>'),
  equipment('S17F4', 'Data Report Delete Acknowledge', [
    '<L <ACKA> <L ERRORS... <L <RPTID> <ERRCODE> <ERRTEXT>>>>',
  ]),
  host(
    'S17F5 W',
    'Trace Create Request',
    [
      '<L <DATAID> <TRID> <CEED> <L <RPTID>...> <TRSPER>',
      '<L? <TOTSMP> <REPGSZ> <EVNTSRC> <CEIDSTART> <EVNTSRC2> <CEIDSTOP> <TRAUTOD> <RPTOC>>>',
    ].join(' '),
  ),
  equipment('S17F6', 'Trace Create Acknowledge', '<L <TRID> <ERRCODE>>'),
  host('S17F7 W', 'Trace Delete Request', '<L <TRID>...>'),
  equipment('S17F8', 'Trace Delete Acknowledge', '<L <ACKA> <L ERRORS... <L <TRID> <ERRCODE> <ERRTEXT>>>>'),
  host('S17F9 W', 'Collection Event Link Request', '<L <DATAID> <EVNTSRC> <CEID> <L <RPTID>...>>'),
  equipment('S17F10', 'Collection Event Link Acknowledge', '<L <EVNTSRC> <CEID> <ERRCODE>>'),
  host('S17F11 W', 'Collection Event Unlink Request', '<L <EVNTSRC> <CEID> <RPTID>>'),
  equipment('S17F12', 'Collection Event Unlink Acknowledge', '<L <EVNTSRC> <CEID> <RPTID> <ERRCODE>>'),
  host('S17F13 W', 'Trace Reset Request', '<L <TRID>...>'),
  equipment('S17F14', 'Trace Reset Acknowledge', '<L <ACKA> <L ERRORS... <L <TRID> <ERRCODE> <ERRTEXT>>>>'),
)
