import { primary, secondary } from '../message-row.js'

/** Stream 17: reports, traces and event links of the modules of an equipment (SEMI E53). */
export const STREAM_17 = [
  primary(17, 1, 'Data Report Create Request', 'host', 'required', {
    structure: '<L <DATAID> <RPTID> <DATASRC> <L <VID>...>>',
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  secondary(17, 2, 'Data Report Create Acknowledge', 'equipment', {
    structure: '<L <RPTID> <ERRCODE>>',
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  primary(17, 3, 'Data Report Delete Request', 'host', 'required', {
    structure: '<L <RPTID>...>',
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  secondary(17, 4, 'Data Report Delete Acknowledge', 'equipment', {
    structure: '<L <ACKA> <L ERRORS... <L <RPTID> <ERRCODE> <ERRTEXT>>>>',
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  primary(17, 5, 'Trace Create Request', 'host', 'required', {
    structure: [
      '<L <DATAID> <TRID> <CEED> <L <RPTID>...> <TRSPER>',
      '<L? <TOTSMP> <REPGSZ> <EVNTSRC> <CEIDSTART> <EVNTSRC2> <CEIDSTOP> <TRAUTOD> <RPTOC>>>',
    ].join(' '),
    source: 'hume',
    confirmedBy: ['ifab'],
  }),
  secondary(17, 6, 'Trace Create Acknowledge', 'equipment', {
    structure: '<L <TRID> <ERRCODE>>',
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  primary(17, 7, 'Trace Delete Request', 'host', 'required', {
    structure: '<L <TRID>...>',
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  secondary(17, 8, 'Trace Delete Acknowledge', 'equipment', {
    structure: '<L <ACKA> <L ERRORS... <L <TRID> <ERRCODE> <ERRTEXT>>>>',
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  primary(17, 9, 'Collection Event Link Request', 'host', 'required', {
    structure: '<L <DATAID> <EVNTSRC> <CEID> <L <RPTID>...>>',
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  secondary(17, 10, 'Collection Event Link Acknowledge', 'equipment', {
    structure: '<L <EVNTSRC> <CEID> <ERRCODE>>',
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  primary(17, 11, 'Collection Event Unlink Request', 'host', 'required', {
    structure: '<L <EVNTSRC> <CEID> <RPTID>>',
    source: 'hume',
    confirmedBy: ['ifab'],
  }),
  secondary(17, 12, 'Collection Event Unlink Acknowledge', 'equipment', {
    structure: '<L <EVNTSRC> <CEID> <RPTID> <ERRCODE>>',
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  primary(17, 13, 'Trace Reset Request', 'host', 'required', {
    structure: '<L <TRID>...>',
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  secondary(17, 14, 'Trace Reset Acknowledge', 'equipment', {
    structure: '<L <ACKA> <L ERRORS... <L <TRID> <ERRCODE> <ERRTEXT>>>>',
    source: 'hume',
    confirmedBy: ['ifab'],
  }),
] as const
