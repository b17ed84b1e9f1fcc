export { DaemonRun as default } from '../../src/cli/daemon/run.js'
