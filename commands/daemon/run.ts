export { daemonRun as default } from '../../src/cli/daemon/run.js'
