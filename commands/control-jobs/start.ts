export { controlJobsStart as default } from '../../src/cli/control-jobs/control-jobs-verbs.js'
