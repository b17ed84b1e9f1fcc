export { variablesRead as default } from '../../src/cli/variables/read.js'
