export { journalBackup as default } from '../../src/cli/journal/backup.js'
