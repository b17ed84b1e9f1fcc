export { spoolTransmit as default } from '../../src/cli/spool/spool-verbs.js'
