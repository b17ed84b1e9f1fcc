export { simulatorSchema as default } from '../../src/cli/simulator/simulator-verbs.js'
