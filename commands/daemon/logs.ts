export { daemonLogs as default } from '../../src/cli/daemon/logs.js'
