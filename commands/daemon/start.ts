export { daemonStart as default } from '../../src/cli/daemon/start.js'
