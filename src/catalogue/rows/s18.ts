import { primary, secondary } from '../message-row.js'

const RESULT = '<L <TARGETID> <SSACK> <L <STATUS>...>>'

/** Stream 18: subsystems, such as readers of carrier IDs (SEMI E99). */
export const STREAM_18 = [
  primary(18, 1, 'Read Attribute Request', 'host', 'required', {
    structure: '<L <TARGETID> <L <ATTRID>...>>',
    source: 'hume',
    confirmedBy: ['ifab'],
  }),
  secondary(18, 2, 'Read Attribute Data', 'equipment', {
    structure: '<L <TARGETID> <SSACK> <L <ATTRDATA>...> <L <STATUS>...>>',
    alsoRead: ['<L <TARGETID> <SSACK> <L <ATTRDATA>...>>'],
    source: 'hume',
  }),
  primary(18, 3, 'Write Attribute Request', 'host', 'required', {
    structure: '<L <TARGETID> <L ATTRIBUTES... <L <ATTRID> <ATTRDATA>>>>',
    source: 'hume',
    confirmedBy: ['ifab'],
  }),
  secondary(18, 4, 'Write Attribute Acknowledge', 'equipment', {
    structure: RESULT,
    source: 'hume',
    confirmedBy: ['ifab'],
  }),
  primary(18, 5, 'Read Request', 'host', 'required', {
    structure: '<L <TARGETID> <DATASEG> <DATALENGTH>>',
    source: 'hume',
    confirmedBy: ['ifab'],
  }),
  secondary(18, 6, 'Read Data', 'equipment', {
    structure: '<L <TARGETID> <SSACK> <DATA> <L <STATUS>...>>',
    alsoRead: ['<L <TARGETID> <SSACK> <DATA>>'],
    source: 'hume',
  }),
  primary(18, 7, 'Write Data Request', 'host', 'required', {
    structure: '<L <TARGETID> <DATASEG> <DATALENGTH> <DATA>>',
    source: 'hume',
    confirmedBy: ['ifab'],
  }),
  secondary(18, 8, 'Write Data Acknowledge', 'equipment', {
    structure: RESULT,
    source: 'hume',
    confirmedBy: ['ifab'],
  }),
  primary(18, 9, 'Read ID Request', 'host', 'required', {
    structure: '<TARGETID>',
    source: 'hume',
    confirmedBy: ['ifab'],
  }),
  secondary(18, 10, 'Read ID Data', 'equipment', {
    structure: '<L <TARGETID> <SSACK> <MID> <L <STATUS>...>>',
    source: 'hume',
    confirmedBy: ['ifab'],
  }),
  primary(18, 11, 'Write ID Request', 'host', 'required', {
    structure: '<L <TARGETID> <MID>>',
    source: 'hume',
    confirmedBy: ['ifab'],
  }),
  secondary(18, 12, 'Write ID Acknowledge', 'equipment', {
    structure: RESULT,
    source: 'hume',
    confirmedBy: ['ifab'],
  }),
  primary(18, 13, 'Subsystem Command Request', 'host', 'required', {
    structure: '<L <TARGETID> <SSCMD> <L <CPVAL>...>>',
    source: 'hume',
    confirmedBy: ['ifab'],
  }),
  secondary(18, 14, 'Subsystem Command Acknowledge', 'equipment', { structure: RESULT, source: 'hume' }),
  primary(18, 15, 'Read 2D Code Condition Request', 'host', 'required', {
    structure: '<TARGETID>',
    source: 'hume',
  }),
  secondary(18, 16, 'Read 2D Code Condition Data', 'equipment', {
    structure: '<L <TARGETID> <SSACK> <MID> <L <STATUS>...> <L <CONDITION>...>>',
    source: 'hume',
  }),
] as const
