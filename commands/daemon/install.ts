export { DaemonInstall as default } from '../../src/cli/daemon/install.js'
