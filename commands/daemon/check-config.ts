export { DaemonCheckConfig as default } from '../../src/cli/daemon/check-config.js'
