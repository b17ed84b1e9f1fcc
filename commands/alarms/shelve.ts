export { alarmsShelve as default } from '../../src/cli/alarms/shelving-verbs.js'
