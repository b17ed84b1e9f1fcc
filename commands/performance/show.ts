export { performanceShow as default } from '../../src/cli/performance/performance-verbs.js'
