export { spoolSet as default } from '../../src/cli/spool/spool-verbs.js'
