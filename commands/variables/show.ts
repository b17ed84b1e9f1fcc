export { variablesShow as default } from '../../src/cli/variables/read.js'
