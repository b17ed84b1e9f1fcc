export { objectsDelete as default } from '../../src/cli/objects/objects-verbs.js'
