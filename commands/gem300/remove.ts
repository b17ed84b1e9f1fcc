export { gem300Remove as default } from '../../src/cli/gem300/gem300-verbs.js'
