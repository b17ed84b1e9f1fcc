export { daemonNodes as default } from '../../src/cli/daemon/nodes.js'
