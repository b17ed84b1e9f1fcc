export { performanceHistory as default } from '../../src/cli/performance/performance-verbs.js'
