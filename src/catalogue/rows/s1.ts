import { primary, secondary } from '../message-row.js'

/** Of equipment; some hosts tell theirs too. */
const IDENTITY = '<L <MDLN> <SOFTREV>>'

/** Stream 1: equipment status. */
export const STREAM_1 = [
  primary(1, 1, 'Are You There Request', 'both', 'required', { structure: '', source: 'secsgem' }),
  secondary(1, 2, 'On Line Data', 'equipment', { structure: IDENTITY, source: 'secsgem' }),
  secondary(1, 2, 'On Line Data', 'host', { structure: '<L>', alsoRead: [IDENTITY], source: 'secsgem' }),
  primary(1, 3, 'Selected Equipment Status Request', 'host', 'required', {
    structure: '<L <SVID>...>',
    alsoRead: ['<SVID...>'],
    source: 'secsgemnet',
  }),
  secondary(1, 4, 'Selected Equipment Status Data', 'equipment', {
    structure: '<L <SV>...>',
    source: 'secsgem',
  }),
  primary(1, 5, 'Formatted Status Request', 'host', 'required', { structure: '<SFCD>', source: 'semirs' }),
  secondary(1, 6, 'Formatted Status Data', 'equipment', {
    structure: '<L <SV>...>',
    alsoRead: ['<SV>'],
    source: 'hume',
  }),
  primary(1, 7, 'Fixed Form Request', 'host', 'required', { structure: '<SFCD>', source: 'semirs' }),
  secondary(1, 8, 'Fixed Form Data', 'equipment', {
    structure: '<L ROWS... <L <SVNAME> <SV0>>>',
    alsoRead: ['<SV0>'],
    source: 'hume',
  }),
  primary(1, 9, 'Material Transfer Status Request', 'host', 'required', {
    structure: '',
    source: 'secsgemnet',
  }),
  secondary(1, 10, 'Material Transfer Status Data', 'equipment', {
    structure: '<L <TSIP...> <TSOP...>>',
    source: 'secsgemnet',
  }),
  primary(1, 11, 'Status Variable Namelist Request', 'host', 'required', {
    structure: '<L <SVID>...>',
    alsoRead: ['<SVID...>'],
    source: 'secsgem',
  }),
  secondary(1, 12, 'Status Variable Namelist Reply', 'equipment', {
    structure: '<L ROWS... <L <SVID> <SVNAME> <UNITS>>>',
    source: 'secsgem',
  }),
  primary(1, 13, 'Establish Communications Request', 'host', 'required', {
    structure: '<L>',
    alsoRead: [IDENTITY],
    source: 'secsgem',
  }),
  primary(1, 13, 'Establish Communications Request', 'equipment', 'required', {
    structure: IDENTITY,
    source: 'secsgem',
  }),
  secondary(1, 14, 'Establish Communications Acknowledge', 'host', {
    structure: '<L <COMMACK> <L>>',
    alsoRead: [`<L <COMMACK> ${IDENTITY}>`],
    source: 'secsgem',
  }),
  secondary(1, 14, 'Establish Communications Acknowledge', 'equipment', {
    structure: '<L <COMMACK> <L? <MDLN> <SOFTREV>>>',
    source: 'secsgem',
  }),
  primary(1, 15, 'Request Off-Line', 'host', 'required', { structure: '', source: 'secsgem' }),
  secondary(1, 16, 'Off-Line Acknowledge', 'equipment', { structure: '<OFLACK>', source: 'secsgem' }),
  primary(1, 17, 'Request On-Line', 'host', 'required', { structure: '', source: 'secsgem' }),
  secondary(1, 18, 'On-Line Acknowledge', 'equipment', { structure: '<ONLACK>', source: 'secsgem' }),
  primary(1, 19, 'Get Attribute', 'both', 'required', {
    structure: '<L <OBJTYPE> <L <OBJID>...> <L <ATTRID>...>>',
    source: 'secsgemnet',
  }),
  secondary(1, 20, 'Attribute Data', 'both', {
    structure: '<L <L OBJECTS... <L <ATTRDATA>...>> <L ERRORS... <L <ERRCODE> <ERRTEXT>>>>',
    source: 'secsgemnet',
  }),
  primary(1, 21, 'Data Variable Namelist Request', 'host', 'required', {
    structure: '<L <VID>...>',
    source: 'secsgem',
  }),
  secondary(1, 22, 'Data Variable Namelist', 'equipment', {
    structure: '<L ROWS... <L <VID> <DVVALNAME> <UNITS>>>',
    source: 'secsgem',
  }),
  primary(1, 23, 'Collection Event Namelist Request', 'host', 'required', {
    structure: '<L <CEID>...>',
    source: 'secsgem',
  }),
  secondary(1, 24, 'Collection Event Namelist', 'equipment', {
    structure: '<L ROWS... <L <CEID> <CENAME> <L <VID>...>>>',
    source: 'secsgem',
  }),
] as const
