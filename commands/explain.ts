export { explainCommand as default } from '../src/cli/explain.js'
