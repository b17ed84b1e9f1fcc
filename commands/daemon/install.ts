export { daemonInstall as default } from '../../src/cli/daemon/install.js'
