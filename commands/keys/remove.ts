export { keysRemove as default } from '../../src/cli/keys/keys-verbs.js'
