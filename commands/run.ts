export { run as default } from '../src/cli/lot/run-verb.js'
