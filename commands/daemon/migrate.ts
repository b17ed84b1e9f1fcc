export { daemonMigrate as default } from '../../src/cli/daemon/migrate.js'
