export { smlFormat as default } from '../../src/cli/sml/sml-verbs.js'
