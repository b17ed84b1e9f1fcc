export { scenarioRun as default } from '../../src/cli/scenario/run.js'
