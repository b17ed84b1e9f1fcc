export { reportsList as default } from '../../src/cli/reports/collection-events-verbs.js'
