export { daemonDrain as default } from '../../src/cli/daemon/drain.js'
