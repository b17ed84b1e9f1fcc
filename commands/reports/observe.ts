export { reportsObserve as default } from '../../src/cli/reports/reports-verbs.js'
