import { primary, secondary } from '../message-row.js'

const ATTRIBUTES = '<L ATTRIBUTES... <L <ATTRID> <ATTRDATA>>>'
const ROWS = '<L ROWS... <L <TBLELT>...>>'
const RESULT = '<L <TBLACK> <L ERRORS... <L <ERRCODE> <ERRTEXT>>>>'

/** Stream 13: data sets and tables. */
export const STREAM_13 = [
  primary(13, 1, 'Send Data Set Send', 'both', 'required', {
    structure: '<L <DSNAME>>',
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  secondary(13, 2, 'Send Data Set Acknowledge', 'both', {
    structure: '<L <DSNAME> <ACKC13>>',
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  primary(13, 3, 'Open Data Set Request', 'both', 'required', {
    structure: '<L <HANDLE> <DSNAME> <CKPNT>>',
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  secondary(13, 4, 'Open Data Set Data', 'both', {
    structure: '<L <HANDLE> <DSNAME> <ACKC13> <RTYPE> <RECLEN>>',
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  primary(13, 5, 'Read Data Set Request', 'both', 'required', {
    structure: '<L <HANDLE> <READLN>>',
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  secondary(13, 6, 'Read Data Set Data', 'both', {
    structure: '<L <HANDLE> <ACKC13> <CKPNT> <L <FILDAT>...>>',
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  primary(13, 7, 'Close Data Set Send', 'both', 'required', {
    structure: '<L <HANDLE>>',
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  secondary(13, 8, 'Close Data Set Acknowledge', 'both', {
    structure: '<L <HANDLE> <ACKC13>>',
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  primary(13, 9, 'Reset Data Set Send', 'both', 'required', {
    structure: '',
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  secondary(13, 10, 'Reset Data Set Acknowledge', 'both', {
    structure: '',
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  primary(13, 11, 'Data Set Object Multi-block Inquire', 'both', 'required', {
    structure: '<L <DATAID> <OBJSPEC> <DATALENGTH>>',
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  secondary(13, 12, 'Data Set Object Multi-block Grant', 'both', {
    structure: '<GRANT>',
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  primary(13, 13, 'Table Data Send', 'both', 'required', {
    structure: `<L <DATAID> <OBJSPEC> <TBLTYP> <TBLID> <TBLCMD> ${ATTRIBUTES} <L <COLHDR>...> ${ROWS}>`,
    source: 'hume',
  }),
  secondary(13, 14, 'Table Data Acknowledge', 'both', {
    structure: RESULT,
    source: 'hume',
    confirmedBy: ['ifab'],
  }),
  primary(13, 15, 'Table Data Request', 'both', 'required', {
    structure: '<L <DATAID> <OBJSPEC> <TBLTYP> <TBLID> <TBLCMD> <L <COLHDR>...> <L <TBLELT>...>>',
    source: 'hume',
    confirmedBy: ['ifab'],
  }),
  secondary(13, 16, 'Table Data', 'both', {
    structure: `<L <TBLTYP> <TBLID> ${ATTRIBUTES} <L <COLHDR>...> ${ROWS} ${RESULT}>`,
    source: 'hume',
  }),
] as const
