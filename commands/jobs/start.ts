export { jobsStart as default } from '../../src/cli/jobs/jobs-verbs.js'
