export { auditTail as default } from '../../src/cli/audit/tail.js'
