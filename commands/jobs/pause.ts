export { jobsPause as default } from '../../src/cli/jobs/jobs-verbs.js'
