export { tapStatus as default } from '../../src/cli/tap/status.js'
