export { DaemonRestart as default } from '../../src/cli/daemon/restart.js'
