export { wireTail as default } from '../../src/cli/wire/wire-verbs.js'
