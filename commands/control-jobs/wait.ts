export { controlJobsWait as default } from '../../src/cli/control-jobs/wait.js'
