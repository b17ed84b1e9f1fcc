export { eventsTail as default } from '../../src/cli/events/tail.js'
