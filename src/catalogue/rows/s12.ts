import { primary, secondary } from '../message-row.js'

const WAFER = '<L <MID> <IDTYP>>'
const ROWS = '<L <MID> <IDTYP> <L ROWS... <L <RSINF> <BINLT>>>>'
const ARRAY = '<L <MID> <IDTYP> <STRP> <BINLT>>'
const POINTS = '<L <MID> <IDTYP> <L POINTS... <L <XYPOS> <BINLT>>>>'

/** Stream 12: wafer maps, in rows (type 1), as an array (type 2) or as coordinates (type 3). */
export const STREAM_12 = [
  primary(12, 1, 'Map Set-up Data Send', 'equipment', 'required', {
    structure: [
      '<L <MID> <IDTYP> <FNLOC> <FFROT> <ORLOC> <RPSEL> <L <REFP>...> <DUTMS> <XDIES> <YDIES>',
      '<ROWCT> <COLCT> <NULBC> <PRDCT> <PRAXI>>',
    ].join(' '),
    source: 'ifab',
  }),
  secondary(12, 2, 'Map Set-up Data Acknowledge', 'host', {
    structure: '<SDACK>',
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  primary(12, 3, 'Map Set-up Data Request', 'equipment', 'required', {
    structure: '<L <MID> <IDTYP> <MAPFT> <FNLOC> <FFROT> <ORLOC> <PRAXI> <BCEQU> <NULBC>>',
    source: 'ifab',
  }),
  secondary(12, 4, 'Map Set-up Data', 'host', {
    structure: [
      '<L <MID> <IDTYP> <FNLOC> <ORLOC> <RPSEL> <L <REFP>...> <DUTMS> <XDIES> <YDIES>',
      '<ROWCT> <COLCT> <PRDCT> <BCEQU> <NULBC> <MLCL>>',
    ].join(' '),
    source: 'ifab',
  }),
  primary(12, 5, 'Map Transmit Inquire', 'equipment', 'required', {
    structure: '<L <MID> <IDTYP> <MAPFT> <MLCL>>',
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  secondary(12, 6, 'Map Transmit Grant', 'host', {
    structure: '<GRNT1>',
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  primary(12, 7, 'Map Data Send Type 1', 'equipment', 'required', {
    structure: ROWS,
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  secondary(12, 8, 'Map Data Acknowledge Type 1', 'host', {
    structure: '<MDACK>',
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  primary(12, 9, 'Map Data Send Type 2', 'equipment', 'required', {
    structure: ARRAY,
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  secondary(12, 10, 'Map Data Acknowledge Type 2', 'host', {
    structure: '<MDACK>',
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  primary(12, 11, 'Map Data Send Type 3', 'equipment', 'required', {
    structure: POINTS,
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  secondary(12, 12, 'Map Data Acknowledge Type 3', 'host', {
    structure: '<MDACK>',
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  primary(12, 13, 'Map Data Request Type 1', 'equipment', 'required', {
    structure: WAFER,
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  secondary(12, 14, 'Map Data Type 1', 'host', { structure: ROWS, source: 'ifab', confirmedBy: ['hume'] }),
  primary(12, 15, 'Map Data Request Type 2', 'equipment', 'required', {
    structure: WAFER,
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  secondary(12, 16, 'Map Data Type 2', 'host', { structure: ARRAY, source: 'ifab', confirmedBy: ['hume'] }),
  primary(12, 17, 'Map Data Request Type 3', 'equipment', 'required', {
    structure: '<L <MID> <IDTYP> <SDBIN>>',
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  secondary(12, 18, 'Map Data Type 3', 'host', { structure: POINTS, source: 'ifab', confirmedBy: ['hume'] }),
  primary(12, 19, 'Map Error Report Send', 'both', 'forbidden', {
    structure: '<L <MAPER> <DATLC>>',
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
] as const
