export { clockSet as default } from '../../src/cli/clock/clock-verbs.js'
