export { simulatorRecord as default } from '../../src/cli/simulator/record.js'
