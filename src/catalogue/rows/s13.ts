import { both, stream } from '../message-row.js'

const ATTRIBUTES = '<L ATTRIBUTES... <L <ATTRID> <ATTRDATA>>>'
const ROWS = '<L ROWS... <L <TBLELT>...>>'
const RESULT = '<L <TBLACK> <L ERRORS... <L <ERRCODE> <ERRTEXT>>>>'

/** Stream 13: data sets and tables. */
export const STREAM_13 = stream(
  { 'ifab, hume': 'F1-F12', hume: 'F13 F16', 'hume, ifab': 'F14-F15' },
  both('S13F1 W', 'Send Data Set Send', '<L <DSNAME>>'),
  both('S13F2', 'Send Data Set Acknowledge', '<L <DSNAME> <ACKC13>>'),
  both('S13F3 W', 'Open Data Set Request', '<L <HANDLE> <DSNAME> <CKPNT>>'),
  both('S13F4', 'Open Data Set Data', '<L <HANDLE> <DSNAME> <ACKC13> <RTYPE> <RECLEN>>'),
  both('S13F5 W', 'Read Data Set Request', '<L <HANDLE> <READLN>>'),
  both('S13F6', 'Read Data Set Data', '<L <HANDLE> <ACKC13> <CKPNT> <L <FILDAT>...>>'),
  both('S13F7 W', 'Close Data Set Send', '<L <HANDLE>>'),
  both('S13F8', 'Close Data Set Acknowledge', '<L <HANDLE> <ACKC13>>'),
  both('S13F9 W', 'Reset Data Set Send'),
  both('S13F10', 'Reset Data Set Acknowledge'),
  both('S13F11 W', 'Data Set Object Multi-block Inquire', '<L <DATAID> <OBJSPEC> <DATALENGTH>>'),
  both('S13F12', 'Data Set Object Multi-block Grant', '<GRANT>'),
  both('S13F13 W', 'Table Data Send', [
    `<L <DATAID> <OBJSPEC> <TBLTYP> <TBLID> <TBLCMD> ${ATTRIBUTES} <L <COLHDR>...> ${ROWS}>`,
  ]),
  both('S13F14', 'Table Data Acknowledge', RESULT),
  both('S13F15 W', 'Table Data Request', [
    '<L <DATAID> <OBJSPEC> <TBLTYP> <TBLID> <TBLCMD> <L <COLHDR>...> <L <TBLELT>...>>',
  ]),
  both('S13F16', 'Table Data', `<L <TBLTYP> <TBLID> ${ATTRIBUTES} <L <COLHDR>...> ${ROWS} ${RESULT}>`),
)
