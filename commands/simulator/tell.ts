export { simulatorTell as default } from '../../src/cli/simulator/tell.js'
