export { variablesHistory as default } from '../../src/cli/variables/history.js'
