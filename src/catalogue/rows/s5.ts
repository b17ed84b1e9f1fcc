import { primary, secondary } from '../message-row.js'

const ALARM = '<L <ALCD> <ALID> <ALTX>>'
const ALARMS = `<L ROWS... ${ALARM}>`
const RECOVERY = '<L <ACKA> <L? <ERRCODE> <ERRTEXT>>>'

/** Stream 5: alarms and exceptions. */
export const STREAM_5 = [
  primary(5, 1, 'Alarm Report Send', 'equipment', 'optional', { structure: ALARM, source: 'secsgem' }),
  secondary(5, 2, 'Alarm Report Acknowledge', 'host', { structure: '<ACKC5>', source: 'secsgem' }),
  primary(5, 3, 'Enable/Disable Alarm Send', 'host', 'optional', {
    structure: '<L <ALED> <ALID...>>',
    source: 'secsgem',
  }),
  secondary(5, 4, 'Enable/Disable Alarm Acknowledge', 'equipment', {
    structure: '<ACKC5>',
    source: 'secsgem',
  }),
  primary(5, 5, 'List Alarms Request', 'host', 'required', {
    structure: '<ALID...>',
    alsoRead: ['<L <ALID>...>'],
    source: 'asymtek',
  }),
  secondary(5, 6, 'List Alarm Data', 'equipment', { structure: ALARMS, source: 'secsgem' }),
  primary(5, 7, 'List Enabled Alarm Request', 'host', 'required', { structure: '', source: 'secsgem' }),
  secondary(5, 8, 'List Enabled Alarm Data', 'equipment', { structure: ALARMS, source: 'secsgem' }),
  primary(5, 9, 'Exception Post Notify', 'equipment', 'optional', {
    structure: '<L <TIMESTAMP> <EXID> <EXTYPE> <EXMESSAGE> <L <EXRECVRA>...>>',
    source: 'secsgem',
  }),
  secondary(5, 10, 'Exception Post Confirm', 'host', { structure: '', source: 'secsgem' }),
  primary(5, 11, 'Exception Clear Notify', 'equipment', 'optional', {
    structure: '<L <TIMESTAMP> <EXID> <EXTYPE> <EXMESSAGE>>',
    source: 'secsgem',
  }),
  secondary(5, 12, 'Exception Clear Confirm', 'host', { structure: '', source: 'secsgem' }),
  primary(5, 13, 'Exception Recover Request', 'host', 'required', {
    structure: '<L <EXID> <EXRECVRA>>',
    source: 'secsgem',
  }),
  secondary(5, 14, 'Exception Recover Acknowledge', 'equipment', {
    structure: `<L <EXID> ${RECOVERY}>`,
    source: 'secsgem',
  }),
  primary(5, 15, 'Exception Recovery Complete Notify', 'equipment', 'optional', {
    structure: `<L <TIMESTAMP> <EXID> ${RECOVERY}>`,
    source: 'secsgem',
  }),
  secondary(5, 16, 'Exception Recovery Complete Confirm', 'host', { structure: '', source: 'secsgem' }),
  primary(5, 17, 'Exception Recovery Abort Request', 'host', 'required', {
    structure: '<EXID>',
    source: 'secsgem',
  }),
  secondary(5, 18, 'Exception Recovery Abort Acknowledge', 'equipment', {
    structure: `<L <EXID> ${RECOVERY}>`,
    source: 'secsgem',
  }),
] as const
