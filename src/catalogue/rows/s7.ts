import { primary, secondary } from '../message-row.js'

const MATRIX = '<L MATRIX... <L <PPID> <L <MID>...>>>'
const FORMATTED_PARTS = '<PPID> <MDLN> <SOFTREV> <L COMMANDS... <L <CCODE> <L <PPARM>...>>>'
const FORMATTED = `<L ${FORMATTED_PARTS}>` as const

/** A parameter of a process command, by the kind of its values. */
const ANY_PARAM = '<L <PNAME> <RQPAR> <PDFLT> <PMAX>>'
const NUMBER_PARAM = '<L <PNAME> <RQPAR> <PDFLT> <PMAX> <LLIM> <ULIM> <UNITS> <RESC> <RESV>>'
const TEXT_PARAM = '<L <PNAME> <RQPAR> <PDFLT> <PMAX> <L <STEMP>...>>'

/** Stream 7: process programs. */
export const STREAM_7 = [
  primary(7, 1, 'Process Program Load Inquire', 'both', 'required', {
    structure: '<L <PPID> <LENGTH>>',
    source: 'secsgem',
  }),
  secondary(7, 2, 'Process Program Load Grant', 'both', { structure: '<PPGNT>', source: 'secsgem' }),
  primary(7, 3, 'Process Program Send', 'both', 'required', {
    structure: '<L <PPID> <PPBODY>>',
    source: 'secsgem',
  }),
  secondary(7, 4, 'Process Program Acknowledge', 'both', { structure: '<ACKC7>', source: 'secsgem' }),
  primary(7, 5, 'Process Program Request', 'both', 'required', { structure: '<PPID>', source: 'secsgem' }),
  secondary(7, 6, 'Process Program Data', 'both', { structure: '<L? <PPID> <PPBODY>>', source: 'asymtek' }),
  primary(7, 7, 'Process Program ID Request', 'equipment', 'required', {
    structure: '<MID>',
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  secondary(7, 8, 'Process Program ID Data', 'host', {
    structure: '<L <PPID> <MID>>',
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  primary(7, 9, 'Material/Process Matrix Request', 'both', 'required', {
    structure: '',
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  secondary(7, 10, 'Material/Process Matrix Data', 'both', {
    structure: MATRIX,
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  primary(7, 11, 'Material/Process Matrix Update Send', 'host', 'optional', {
    structure: MATRIX,
    source: 'hume',
    confirmedBy: ['ifab'],
  }),
  secondary(7, 12, 'Material/Process Matrix Update Acknowledge', 'equipment', {
    structure: '<ACKC7>',
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  primary(7, 13, 'Delete Material/Process Matrix Entry Send', 'host', 'optional', {
    structure: MATRIX,
    source: 'hume',
    confirmedBy: ['ifab'],
  }),
  secondary(7, 14, 'Delete Material/Process Matrix Entry Acknowledge', 'equipment', {
    structure: '<ACKC7>',
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  primary(7, 15, 'Matrix Mode Select Send', 'host', 'required', {
    structure: '<MMODE>',
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  secondary(7, 16, 'Matrix Mode Select Acknowledge', 'equipment', {
    structure: '<ACKC7>',
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  primary(7, 17, 'Delete Process Program Send', 'host', 'required', {
    structure: '<L <PPID>...>',
    source: 'secsgem',
  }),
  secondary(7, 18, 'Delete Process Program Acknowledge', 'equipment', {
    structure: '<ACKC7>',
    source: 'secsgem',
  }),
  primary(7, 19, 'Current EPPD Request', 'host', 'required', { structure: '', source: 'secsgem' }),
  secondary(7, 20, 'Current EPPD Data', 'equipment', { structure: '<L <PPID>...>', source: 'secsgem' }),
  primary(7, 21, 'Equipment Process Capabilities Request', 'host', 'required', {
    structure: '',
    source: 'bee',
    confirmedBy: ['ifab'],
  }),
  secondary(7, 22, 'Equipment Process Capabilities Data', 'equipment', {
    structure: [
      '<L <MDLN> <SOFTREV> <CMDMAX> <BYTMAX> <L COMMANDS...',
      '<L <CCODE> <CNAME> <RQCMD> <BLKDEF> <BCDS> <IBCDS> <NBCDS> <ACDS> <IACDS> <NACDS>',
      `<L PARAMS... (${ANY_PARAM} | ${NUMBER_PARAM} | ${TEXT_PARAM})>>>>`,
    ].join(' '),
    source: 'ifab',
  }),
  primary(7, 23, 'Formatted Process Program Send', 'both', 'required', {
    structure: FORMATTED,
    source: 'nikon',
  }),
  secondary(7, 24, 'Formatted Process Program Acknowledge', 'both', {
    structure: '<ACKC7>',
    source: 'nikon',
  }),
  primary(7, 25, 'Formatted Process Program Request', 'both', 'required', {
    structure: '<PPID>',
    source: 'secsgemdocs',
  }),
  secondary(7, 26, 'Formatted Process Program Data', 'both', {
    structure: `<L? ${FORMATTED_PARTS}>`,
    source: 'xcom',
    confirmedBy: ['secsgemdocs'],
  }),
  primary(7, 27, 'Process Program Verification Send', 'equipment', 'required', {
    structure: '<L <PPID> <L ERRORS... <L <ACKC7A> <SEQNUM> <ERRW7>>>>',
    source: 'hume',
    confirmedBy: ['ifab', 'xcom'],
  }),
  secondary(7, 28, 'Process Program Verification Acknowledge', 'host', {
    structure: '',
    source: 'hume',
    confirmedBy: ['ifab', 'xcom'],
  }),
  primary(7, 29, 'Process Program Verification Inquire', 'equipment', 'required', {
    structure: '<LENGTH>',
    source: 'hume',
    confirmedBy: ['ifab'],
  }),
  secondary(7, 30, 'Process Program Verification Grant', 'host', {
    structure: '<PPGNT>',
    source: 'hume',
    confirmedBy: ['ifab'],
  }),
  primary(7, 31, 'Verification Request Send', 'host', 'required', {
    structure: FORMATTED,
    source: 'hume',
    confirmedBy: ['ifab'],
  }),
  secondary(7, 32, 'Verification Request Acknowledge', 'equipment', {
    structure: '<ACKC7>',
    source: 'hume',
    confirmedBy: ['ifab'],
  }),
  primary(7, 33, 'Process Program Available Request', 'both', 'required', {
    structure: '<PPID>',
    source: 'hume',
    confirmedBy: ['ifab'],
  }),
  secondary(7, 34, 'Process Program Availability Data', 'both', {
    structure: '<L <PPID> <UNFLEN> <FRMLEN>>',
    source: 'hume',
    confirmedBy: ['ifab'],
  }),
  primary(7, 35, 'Process Program for MID Request', 'both', 'required', {
    structure: '<MID>',
    source: 'hume',
    confirmedBy: ['ifab'],
  }),
  secondary(7, 36, 'Process Program for MID Data', 'both', {
    structure: '<L <MID> <PPID> <PPBODY>>',
    source: 'hume',
    confirmedBy: ['ifab'],
  }),
  primary(7, 37, 'Large Process Program Send', 'both', 'required', {
    structure: '<DSNAME>',
    source: 'hume',
  }),
  secondary(7, 38, 'Large Process Program Send Acknowledge', 'both', {
    structure: '<ACKC7>',
    source: 'hume',
  }),
  primary(7, 39, 'Large Formatted Process Program Send', 'both', 'required', {
    structure: '<DSNAME>',
    source: 'hume',
  }),
  secondary(7, 40, 'Large Formatted Process Program Acknowledge', 'both', {
    structure: '<ACKC7>',
    source: 'hume',
  }),
  primary(7, 41, 'Large Process Program Request', 'both', 'required', {
    structure: '<DSNAME>',
    source: 'hume',
  }),
  secondary(7, 42, 'Large Process Program Request Acknowledge', 'both', {
    structure: '<ACKC7>',
    source: 'hume',
  }),
  primary(7, 43, 'Large Formatted Process Program Request', 'both', 'required', {
    structure: '<DSNAME>',
    source: 'hume',
  }),
  secondary(7, 44, 'Large Formatted Process Program Request Acknowledge', 'both', {
    structure: '<ACKC7>',
    source: 'hume',
  }),
] as const
