import { equipment, host, stream } from '../message-row.js'

const ALARM = '<L <ALCD> <ALID> <ALTX>>'
const ALARMS = `<L ROWS... ${ALARM}>`
const RECOVERY = '<L <ACKA> <L? <ERRCODE> <ERRTEXT>>>'

/** Stream 5: alarms and exceptions. */
export const STREAM_5 = stream(
  { 'secsgem, hume': 'F1-F4 F6-F18', asymtek: 'F5' },
  equipment('S5F1 [W]', 'Alarm Report Send', ALARM),
  host('S5F2', 'Alarm Report Acknowledge', '<ACKC5>'),
  host('S5F3 [W]', 'Enable/Disable Alarm Send', '<L <ALED> <ALID...>>'),
  equipment('S5F4', 'Enable/Disable Alarm Acknowledge', '<ACKC5>'),
  host('S5F5 W', 'List Alarms Request', ['<ALID...>', '<L <ALID>...>']),
  equipment('S5F6', 'List Alarm Data', ALARMS),
  host('S5F7 W', 'List Enabled Alarm Request'),
  equipment('S5F8', 'List Enabled Alarm Data', ALARMS),
  equipment('S5F9 [W]', 'Exception Post Notify', [
    '<L <TIMESTAMP> <EXID> <EXTYPE> <EXMESSAGE> <L <EXRECVRA>...>>',
  ]),
  host('S5F10', 'Exception Post Confirm'),
  equipment('S5F11 [W]', 'Exception Clear Notify', '<L <TIMESTAMP> <EXID> <EXTYPE> <EXMESSAGE>>'),
  host('S5F12', 'Exception Clear Confirm'),
  host('S5F13 W', 'Exception Recover Request', '<L <EXID> <EXRECVRA>>'),
  equipment('S5F14', 'Exception Recover Acknowledge', `<L <EXID> ${RECOVERY}>`),
  equipment('S5F15 [W]', 'Exception Recovery Complete Notify', `<L <TIMESTAMP> <EXID> ${RECOVERY}>`),
  host('S5F16', 'Exception Recovery Complete Confirm'),
  host('S5F17 W', 'Exception Recovery Abort Request', '<EXID>'),
  equipment('S5F18', 'Exception Recovery Abort Acknowledge', `<L <EXID> ${RECOVERY}>`),
)
