export { scenarioSchema as default } from '../../src/cli/scenario/scenario-verbs.js'
