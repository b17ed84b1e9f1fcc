export { portsOutOfService as default } from '../../src/cli/ports/ports-verbs.js'
