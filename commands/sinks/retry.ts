export { sinksRetry as default } from '../../src/cli/sinks/sinks-verbs.js'
