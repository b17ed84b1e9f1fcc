export { carriersList as default } from '../../src/cli/carriers/carriers-verbs.js'
