import { primary, secondary } from '../message-row.js'

/** Stream 2: equipment control and diagnostics. */
export const STREAM_2 = [
  primary(2, 1, 'Service Program Load Inquire', 'both', 'required', {
    structure: '<L <SPID> <LENGTH>>',
    source: 'semirs',
  }),
  secondary(2, 2, 'Service Program Load Grant', 'both', { structure: '<GRANT>', source: 'semirs' }),
  primary(2, 3, 'Service Program Send', 'both', 'required', { structure: '<SPD>', source: 'semirs' }),
  secondary(2, 4, 'Service Program Send Acknowledge', 'both', { structure: '<SPAACK>', source: 'semirs' }),
  primary(2, 5, 'Service Program Load Request', 'both', 'required', {
    structure: '<SPID>',
    source: 'semirs',
  }),
  secondary(2, 6, 'Service Program Load Data', 'both', { structure: '<SPD>', source: 'semirs' }),
  primary(2, 7, 'Service Program Run Send', 'host', 'required', { structure: '<SPID>', source: 'semirs' }),
  secondary(2, 8, 'Service Program Run Acknowledge', 'equipment', {
    structure: '<CSAACK>',
    source: 'semirs',
  }),
  primary(2, 9, 'Service Program Results Request', 'host', 'required', {
    structure: '<SPID>',
    source: 'semirs',
  }),
  secondary(2, 10, 'Service Program Results Data', 'equipment', { structure: '<SPR>', source: 'semirs' }),
  primary(2, 11, 'Service Program Directory Request', 'both', 'required', {
    structure: '',
    source: 'semirs',
  }),
  secondary(2, 12, 'Service Program Directory Data', 'both', {
    structure: '<L <SPID>...>',
    source: 'semirs',
  }),
  primary(2, 13, 'Equipment Constant Request', 'host', 'required', {
    structure: '<L <ECID>...>',
    alsoRead: ['<ECID...>'],
    source: 'secsgem',
  }),
  secondary(2, 14, 'Equipment Constant Data', 'equipment', { structure: '<L <ECV>...>', source: 'secsgem' }),
  primary(2, 15, 'New Equipment Constant Send', 'host', 'required', {
    structure: '<L ROWS... <L <ECID> <ECV>>>',
    source: 'secsgem',
  }),
  secondary(2, 16, 'New Equipment Constant Acknowledge', 'equipment', {
    structure: '<EAC>',
    source: 'secsgem',
  }),
  primary(2, 17, 'Date and Time Request', 'both', 'required', { structure: '', source: 'secsgem' }),
  secondary(2, 18, 'Date and Time Data', 'both', { structure: '<TIME>', source: 'secsgem' }),
  primary(2, 19, 'Reset/Initialize Send', 'host', 'required', {
    structure: '<RIC>',
    source: 'hume',
    confirmedBy: ['ifab'],
  }),
  secondary(2, 20, 'Reset Acknowledge', 'equipment', {
    structure: '<RAC>',
    source: 'hume',
    confirmedBy: ['ifab'],
  }),
  primary(2, 21, 'Remote Command Send', 'host', 'optional', { structure: '<RCMD>', source: 'secsgem' }),
  secondary(2, 22, 'Remote Command Acknowledge', 'equipment', { structure: '<CMDA>', source: 'secsgem' }),
  primary(2, 23, 'Trace Initialize Send', 'host', 'required', {
    structure: '<L <TRID> <DSPER> <TOTSMP> <REPGSZ> <L <SVID>...>>',
    alsoRead: ['<L <TRID> <DSPER> <TOTSMP> <REPGSZ> <SVID...>>'],
    source: 'secsgem',
  }),
  secondary(2, 24, 'Trace Initialize Acknowledge', 'equipment', { structure: '<TIAACK>', source: 'secsgem' }),
  primary(2, 25, 'Loopback Diagnostic Request', 'both', 'required', {
    structure: '<ABS>',
    source: 'secsgem',
  }),
  secondary(2, 26, 'Loopback Diagnostic Data', 'both', { structure: '<ABS>', source: 'secsgem' }),
  primary(2, 27, 'Initiate Processing Request', 'host', 'required', {
    structure: '<L <LOC> <PPID> <L <MID>...>>',
    source: 'hume',
    confirmedBy: ['ifab'],
  }),
  secondary(2, 28, 'Initiate Processing Acknowledge', 'equipment', {
    structure: '<CMDA>',
    source: 'hume',
    confirmedBy: ['ifab'],
  }),
  primary(2, 29, 'Equipment Constant Namelist Request', 'host', 'required', {
    structure: '<L <ECID>...>',
    source: 'secsgem',
  }),
  secondary(2, 30, 'Equipment Constant Namelist', 'equipment', {
    structure: '<L ROWS... <L <ECID> <ECNAME> <ECMIN> <ECMAX> <ECDEF> <UNITS>>>',
    source: 'secsgem',
  }),
  primary(2, 31, 'Date and Time Set Request', 'host', 'required', { structure: '<TIME>', source: 'asymtek' }),
  secondary(2, 32, 'Date and Time Set Acknowledge', 'equipment', { structure: '<TIACK>', source: 'asymtek' }),
  primary(2, 33, 'Define Report', 'host', 'required', {
    structure: '<L <DATAID> <L REPORTS... <L <RPTID> <L <VID>...>>>>',
    source: 'secsgem',
  }),
  secondary(2, 34, 'Define Report Acknowledge', 'equipment', { structure: '<DRACK>', source: 'secsgem' }),
  primary(2, 35, 'Link Event Report', 'host', 'required', {
    structure: '<L <DATAID> <L EVENTS... <L <CEID> <L <RPTID>...>>>>',
    source: 'secsgem',
  }),
  secondary(2, 36, 'Link Event Report Acknowledge', 'equipment', { structure: '<LRACK>', source: 'secsgem' }),
  primary(2, 37, 'Enable/Disable Event Report', 'host', 'required', {
    structure: '<L <CEED> <L <CEID>...>>',
    source: 'secsgem',
  }),
  secondary(2, 38, 'Enable/Disable Event Report Acknowledge', 'equipment', {
    structure: '<ERACK>',
    source: 'secsgem',
  }),
  primary(2, 39, 'Multi-block Inquire', 'host', 'required', {
    structure: '<L <DATAID> <DATALENGTH>>',
    source: 'asymtek',
  }),
  secondary(2, 40, 'Multi-block Grant', 'equipment', { structure: '<GRANT>', source: 'asymtek' }),
  primary(2, 41, 'Host Command Send', 'host', 'required', {
    structure: '<L <RCMD> <L PARAMS... <L <CPNAME> <CPVAL>>>>',
    source: 'secsgem',
  }),
  secondary(2, 42, 'Host Command Acknowledge', 'equipment', {
    structure: '<L <HCACK> <L PARAMS... <L <CPNAME> <CPACK>>>>',
    source: 'secsgem',
  }),
  primary(2, 43, 'Reset Spooling Streams and Functions', 'host', 'required', {
    structure: '<L STREAMS... <L <STRID> <L <FCNID>...>>>',
    source: 'secsgem',
  }),
  secondary(2, 44, 'Reset Spooling Acknowledge', 'equipment', {
    structure: '<L <RSPACK> <L STREAMS... <L <STRID> <STRACK> <L <FCNID>...>>>>',
    source: 'secsgem',
  }),
  primary(2, 45, 'Define Variable Limit Attributes', 'host', 'required', {
    structure: '<L <DATAID> <L VARIABLES... <L <VID> <L LIMITS... <L <LIMITID> <L? <UPPERDB> <LOWERDB>>>>>>>',
    source: 'secsgem',
  }),
  secondary(2, 46, 'Variable Limit Attribute Acknowledge', 'equipment', {
    structure: '<L <VLAACK> <L VARIABLES... <L <VID> <LVACK> <L? <LIMITID> <LIMITACK>>>>>',
    source: 'secsgem',
  }),
  primary(2, 47, 'Variable Limit Attribute Request', 'host', 'required', {
    structure: '<L <VID>...>',
    source: 'secsgem',
  }),
  secondary(2, 48, 'Variable Limit Attributes Send', 'equipment', {
    structure:
      '<L VARIABLES... <L <VID> <L? <UNITS> <LIMITMIN> <LIMITMAX> <L LIMITS... <L <LIMITID> <UPPERDB> <LOWERDB>>>>>>',
    source: 'secsgem',
  }),
  primary(2, 49, 'Enhanced Remote Command', 'host', 'required', {
    structure: '<L <DATAID> <OBJSPEC> <RCMD> <L PARAMS... <L <CPNAME> <CEPVAL>>>>',
    source: 'secsgem',
  }),
  secondary(2, 50, 'Enhanced Remote Command Acknowledge', 'equipment', {
    structure: '<L <HCACK> <L PARAMS... <L <CPNAME> <CEPACK>>>>',
    source: 'secsgem',
  }),
  primary(2, 51, 'Request Report Identifiers', 'host', 'required', { structure: '', source: 'hume' }),
  secondary(2, 52, 'Return Report Identifiers', 'equipment', { structure: '<L <RPTID>...>', source: 'hume' }),
  primary(2, 53, 'Request Report Definitions', 'host', 'required', {
    structure: '<L <RPTID>...>',
    source: 'hume',
  }),
  secondary(2, 54, 'Return Report Definitions', 'equipment', {
    structure: '<L REPORTS... <L <RPTID> <L <VID>...>>>',
    source: 'hume',
  }),
  primary(2, 55, 'Request Event Report Links', 'host', 'required', {
    structure: '<L <CEID>...>',
    source: 'hume',
  }),
  secondary(2, 56, 'Return Event Report Links', 'equipment', {
    structure: '<L EVENTS... <L <CEID> <CENAME> <L <RPTID>...>>>',
    source: 'hume',
  }),
  primary(2, 57, 'Request Enabled Events', 'host', 'required', { structure: '', source: 'hume' }),
  secondary(2, 58, 'Return Enabled Events', 'equipment', { structure: '<L <CEID>...>', source: 'hume' }),
  primary(2, 59, 'Request Spool Streams and Functions', 'host', 'required', {
    structure: '',
    source: 'hume',
  }),
  secondary(2, 60, 'Return Spool Streams and Functions', 'equipment', {
    structure: '<L STREAMS... <L <STRID> <L <FCNID>...>>>',
    source: 'hume',
  }),
  primary(2, 61, 'Request Trace Identifiers', 'host', 'required', { structure: '', source: 'hume' }),
  secondary(2, 62, 'Return Trace Identifiers', 'equipment', { structure: '<L <TRID>...>', source: 'hume' }),
  primary(2, 63, 'Request Trace Definitions', 'host', 'required', {
    structure: '<L <TRID>...>',
    source: 'hume',
  }),
  secondary(2, 64, 'Return Trace Definitions', 'equipment', {
    structure: '<L TRACES... <L <TRID> <DSPER> <TOTSMP> <REPGSZ> <L <SVID>...>>>',
    source: 'hume',
  }),
] as const
