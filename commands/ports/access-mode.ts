export { portsAccessMode as default } from '../../src/cli/ports/ports-verbs.js'
