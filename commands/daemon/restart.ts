export { daemonRestart as default } from '../../src/cli/daemon/restart.js'
