export { substratesShow as default } from '../../src/cli/substrates/substrates-verbs.js'
