export { simulatorModels as default } from '../../src/cli/simulator/simulator-verbs.js'
