import { primary, secondary } from '../message-row.js'

const REPORTS = '<L <DATAID> <CEID> <L REPORTS... <L <RPTID> <L <V>...>>>>'
const ANNOTATED_REPORTS = '<L <DATAID> <CEID> <L REPORTS... <L <RPTID> <L VALUES... <L <VID> <V>>>>>>'
const DATA_SETS = '<L <DATAID> <CEID> <L DATASETS... <L <DSID> <L VALUES... <L <DVNAME> <DVVAL>>>>>>'

/** Stream 6: data collection. */
export const STREAM_6 = [
  primary(6, 1, 'Trace Data Send', 'equipment', 'optional', {
    structure: '<L <TRID> <SMPLN> <STIME> <L <SV>...>>',
    source: 'secsgem',
  }),
  secondary(6, 2, 'Trace Data Acknowledge', 'host', { structure: '<ACKC6>', source: 'secsgem' }),
  primary(6, 3, 'Discrete Variable Data Send', 'equipment', 'optional', {
    structure: DATA_SETS,
    source: 'asymtek',
  }),
  secondary(6, 4, 'Discrete Variable Data Acknowledge', 'host', { structure: '<ACKC6>', source: 'asymtek' }),
  primary(6, 5, 'Multi-block Data Send Inquire', 'equipment', 'required', {
    structure: '<L <DATAID> <DATALENGTH>>',
    source: 'secsgem',
  }),
  secondary(6, 6, 'Multi-block Grant', 'host', { structure: '<GRANT6>', source: 'secsgem' }),
  primary(6, 7, 'Data Transfer Request', 'host', 'required', { structure: '<DATAID>', source: 'secsgem' }),
  secondary(6, 8, 'Data Transfer Data', 'equipment', { structure: DATA_SETS, source: 'secsgem' }),
  primary(6, 9, 'Formatted Variable Send', 'equipment', 'optional', {
    structure: '<L <PFCD> <DATAID> <CEID> <L DATASETS... <L <DSID> <L <DVVAL>...>>>>',
    source: 'asymtek',
  }),
  secondary(6, 10, 'Formatted Variable Acknowledge', 'host', { structure: '<ACKC6>', source: 'asymtek' }),
  primary(6, 11, 'Event Report Send', 'equipment', 'required', { structure: REPORTS, source: 'secsgem' }),
  secondary(6, 12, 'Event Report Acknowledge', 'host', { structure: '<ACKC6>', source: 'secsgem' }),
  primary(6, 13, 'Annotated Event Report Send', 'equipment', 'required', {
    structure: ANNOTATED_REPORTS,
    source: 'asymtek',
  }),
  secondary(6, 14, 'Annotated Event Report Acknowledge', 'host', { structure: '<ACKC6>', source: 'asymtek' }),
  primary(6, 15, 'Event Report Request', 'host', 'required', { structure: '<CEID>', source: 'secsgem' }),
  secondary(6, 16, 'Event Report Data', 'equipment', { structure: REPORTS, source: 'secsgem' }),
  primary(6, 17, 'Annotated Event Report Request', 'host', 'required', {
    structure: '<CEID>',
    source: 'asymtek',
  }),
  secondary(6, 18, 'Annotated Event Report Data', 'equipment', {
    structure: ANNOTATED_REPORTS,
    source: 'asymtek',
  }),
  primary(6, 19, 'Individual Report Request', 'host', 'required', {
    structure: '<RPTID>',
    source: 'secsgem',
  }),
  secondary(6, 20, 'Individual Report Data', 'equipment', { structure: '<L <V>...>', source: 'secsgem' }),
  primary(6, 21, 'Annotated Individual Report Request', 'host', 'required', {
    structure: '<RPTID>',
    source: 'secsgem',
  }),
  secondary(6, 22, 'Annotated Individual Report Data', 'equipment', {
    structure: '<L VALUES... <L <VID> <V>>>',
    source: 'secsgem',
  }),
  primary(6, 23, 'Request or Purge Spooled Data', 'host', 'required', {
    structure: '<RSDC>',
    source: 'secsgem',
  }),
  secondary(6, 24, 'Request or Purge Spooled Data Acknowledge', 'equipment', {
    structure: '<RSDA>',
    source: 'secsgem',
  }),
  primary(6, 25, 'Notification Report Send', 'both', 'optional', {
    structure: [
      '<L <DATAID> <OPID> <LINKID> <RCPSPEC> <RMCHGSTAT>',
      '<L ATTRIBUTES... <L <RCPATTRID> <RCPATTRDATA>>> <L <RMACK> <L ERRORS... <L <ERRCODE> <ERRTEXT>>>>>',
    ].join(' '),
    source: 'bee',
  }),
  secondary(6, 26, 'Notification Report Send Acknowledge', 'both', { structure: '<ACKC6>', source: 'bee' }),
  primary(6, 27, 'Trace Report Send', 'equipment', 'optional', {
    structure: '<L <DATAID> <TRID> <L SAMPLES... <L REPORTS... <L <RPTID> <L <V>...>>>>>',
    source: 'hume',
    confirmedBy: ['ifab'],
  }),
  secondary(6, 28, 'Trace Report Send Acknowledge', 'host', { structure: '<TRID>', source: 'bee' }),
  primary(6, 29, 'Trace Report Request', 'host', 'required', {
    structure: '<TRID>',
    source: 'hume',
    confirmedBy: ['ifab'],
  }),
  secondary(6, 30, 'Trace Report Data', 'equipment', {
    structure: '<L <TRID> <L REPORTS... <L <RPTID> <L <V>...>>> <ERRCODE>>',
    source: 'bee',
  }),
] as const
