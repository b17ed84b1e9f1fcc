export { smlDecode as default } from '../../src/cli/sml/sml-verbs.js'
