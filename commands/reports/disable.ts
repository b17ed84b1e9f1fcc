export { reportsDisable as default } from '../../src/cli/reports/events-verbs.js'
