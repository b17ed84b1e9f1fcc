export { simulatorFleet as default } from '../../src/cli/simulator/fleet.js'
