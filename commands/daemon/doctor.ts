export { daemonDoctor as default } from '../../src/cli/daemon/daemon-verbs.js'
