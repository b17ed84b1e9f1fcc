export { alarmsShelved as default } from '../../src/cli/alarms/shelving-verbs.js'
