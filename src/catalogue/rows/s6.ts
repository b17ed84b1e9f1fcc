import { both, equipment, host, stream } from '../message-row.js'

const REPORTS = '<L <DATAID> <CEID> <L REPORTS... <L <RPTID> <L <V>...>>>>'
const ANNOTATED_REPORTS = '<L <DATAID> <CEID> <L REPORTS... <L <RPTID> <L VALUES... <L <VID> <V>>>>>>'
const DATA_SETS = '<L <DATAID> <CEID> <L DATASETS... <L <DSID> <L VALUES... <L <DVNAME> <DVVAL>>>>>>'

/** Stream 6: data collection. */
export const STREAM_6 = stream(
  {
    'secsgem, hume': 'F1-F2 F5-F8 F11-F12 F15-F16 F19-F24',
    asymtek: 'F3-F4 F9-F10 F13-F14 F17-F18',
    bee: 'F25-F26 F28 F30',
    'hume, ifab': 'F27 F29',
  },
  equipment('S6F1 [W]', 'Trace Data Send', '<L <TRID> <SMPLN> <STIME> <L <SV>...>>'),
  host('S6F2', 'Trace Data Acknowledge', '<ACKC6>'),
  equipment('S6F3 [W]', 'Discrete Variable Data Send', DATA_SETS),
  host('S6F4', 'Discrete Variable Data Acknowledge', '<ACKC6>'),
  equipment('S6F5 W', 'Multi-block Data Send Inquire', '<L <DATAID> <DATALENGTH>>'),
  host('S6F6', 'Multi-block Grant', '<GRANT6>'),
  host('S6F7 W', 'Data Transfer Request', '<DATAID>'),
  equipment('S6F8', 'Data Transfer Data', DATA_SETS),
  equipment('S6F9 [W]', 'Formatted Variable Send', [
    '<L <PFCD> <DATAID> <CEID> <L DATASETS... <L <DSID> <L <DVVAL>...>>>>',
  ]),
  host('S6F10', 'Formatted Variable Acknowledge', '<ACKC6>'),
  equipment('S6F11 W', 'Event Report Send', REPORTS),
  host('S6F12', 'Event Report Acknowledge', '<ACKC6>'),
  equipment('S6F13 W', 'Annotated Event Report Send', ANNOTATED_REPORTS),
  host('S6F14', 'Annotated Event Report Acknowledge', '<ACKC6>'),
  host('S6F15 W', 'Event Report Request', '<CEID>'),
  equipment('S6F16', 'Event Report Data', REPORTS),
  host('S6F17 W', 'Annotated Event Report Request', '<CEID>'),
  equipment('S6F18', 'Annotated Event Report Data', ANNOTATED_REPORTS),
  host('S6F19 W', 'Individual Report Request', '<RPTID>'),
  equipment('S6F20', 'Individual Report Data', '<L <V>...>'),
  host('S6F21 W', 'Annotated Individual Report Request', '<RPTID>'),
  equipment('S6F22', 'Annotated Individual Report Data', '<L VALUES... <L <VID> <V>>>'),
  host('S6F23 W', 'Request or Purge Spooled Data', '<RSDC>'),
  equipment('S6F24', 'Request or Purge Spooled Data Acknowledge', '<RSDA>'),
  both(
    'S6F25 [W]',
    'Notification Report Send',
    [
      '<L <DATAID> <OPID> <LINKID> <RCPSPEC> <RMCHGSTAT>',
      '<L ATTRIBUTES... <L <RCPATTRID> <RCPATTRDATA>>> <L <RMACK> <L ERRORS... <L <ERRCODE> <ERRTEXT>>>>>',
    ].join(' '),
  ),
  both('S6F26', 'Notification Report Send Acknowledge', '<ACKC6>'),
  equipment('S6F27 [W]', 'Trace Report Send', [
    '<L <DATAID> <TRID> <L SAMPLES... <L REPORTS... <L <RPTID> <L <V>...>>>>>',
  ]),
  host('S6F28', 'Trace Report Send Acknowledge', '<TRID>'),
  host('S6F29 W', 'Trace Report Request', '<TRID>'),
  equipment('S6F30', 'Trace Report Data', '<L <TRID> <L REPORTS... <L <RPTID> <L <V>...>>> <ERRCODE>>'),
)
