export { daemonBenchDisk as default } from '../../src/cli/daemon/daemon-verbs.js'
