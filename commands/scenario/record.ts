export { scenarioRecord as default } from '../../src/cli/scenario/record.js'
