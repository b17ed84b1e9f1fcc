export { spoolShow as default } from '../../src/cli/spool/spool-verbs.js'
