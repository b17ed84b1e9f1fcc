export { jobsWait as default } from '../../src/cli/jobs/wait.js'
