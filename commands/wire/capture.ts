export { wireCapture as default } from '../../src/cli/wire/wire-verbs.js'
