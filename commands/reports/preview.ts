export { reportsPreview as default } from '../../src/cli/reports/events-verbs.js'
