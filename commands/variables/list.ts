export { variablesList as default } from '../../src/cli/variables/variables-verbs.js'
