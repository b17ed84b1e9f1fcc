export { auditExport as default } from '../../src/cli/audit/audit-verbs.js'
