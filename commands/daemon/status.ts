export { daemonStatus as default } from '../../src/cli/daemon/daemon-verbs.js'
