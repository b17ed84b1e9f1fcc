export { scenarioHost as default } from '../../src/cli/scenario/host.js'
