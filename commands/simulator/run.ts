export { simulatorRun as default } from '../../src/cli/simulator/run.js'
