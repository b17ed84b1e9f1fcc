export { constantsShow as default } from '../../src/cli/constants/constants-verbs.js'
