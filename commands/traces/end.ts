export { tracesEnd as default } from '../../src/cli/traces/traces-verbs.js'
