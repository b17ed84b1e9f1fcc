export { portsReserve as default } from '../../src/cli/ports/ports-verbs.js'
