export { SimulatorRun as default } from '../../src/cli/simulator/run.js'
