export { journalExport as default } from '../../src/cli/journal/export.js'
