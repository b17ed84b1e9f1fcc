export { tracesRun as default } from '../../src/cli/traces/run.js'
