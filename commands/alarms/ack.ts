export { alarmsAck as default } from '../../src/cli/alarms/ack.js'
