export { tapRun as default } from '../../src/cli/tap/run.js'
