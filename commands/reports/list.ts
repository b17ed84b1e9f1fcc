export { reportsList as default } from '../../src/cli/reports/events-verbs.js'
