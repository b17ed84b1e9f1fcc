export { sinksRemove as default } from '../../src/cli/sinks/sinks-verbs.js'
