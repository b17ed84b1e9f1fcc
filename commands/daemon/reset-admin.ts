export { daemonResetAdmin as default } from '../../src/cli/daemon/reset-admin.js'
