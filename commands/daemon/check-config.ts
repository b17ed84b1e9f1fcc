export { daemonCheckConfig as default } from '../../src/cli/daemon/check-config.js'
