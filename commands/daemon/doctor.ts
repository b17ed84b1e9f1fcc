export { daemonDoctor as default } from '../../src/cli/daemon/disk-doctor.js'
