export { journalVerify as default } from '../../src/cli/journal/verify.js'
