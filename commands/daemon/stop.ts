export { daemonStop as default } from '../../src/cli/daemon/stop.js'
