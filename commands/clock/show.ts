export { clockShow as default } from '../../src/cli/clock/clock-verbs.js'
