export { simulatorReplay as default } from '../../src/cli/simulator/replay.js'
