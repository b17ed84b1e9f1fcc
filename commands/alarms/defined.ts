export { alarmsDefined as default } from '../../src/cli/alarms/alarms-verbs.js'
