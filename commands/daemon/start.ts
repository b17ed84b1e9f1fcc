export { DaemonStart as default } from '../../src/cli/daemon/start.js'
