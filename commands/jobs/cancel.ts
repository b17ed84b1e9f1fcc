export { jobsCancel as default } from '../../src/cli/jobs/jobs-verbs.js'
