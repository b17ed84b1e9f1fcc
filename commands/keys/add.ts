export { keysAdd as default } from '../../src/cli/keys/keys-verbs.js'
