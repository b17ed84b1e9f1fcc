export { gem300List as default } from '../../src/cli/gem300/gem300-verbs.js'
