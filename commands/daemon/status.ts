export { daemonStatus as default } from '../../src/cli/daemon/status.js'
