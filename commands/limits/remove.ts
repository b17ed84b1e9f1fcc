export { limitsRemove as default } from '../../src/cli/limits/limits-verbs.js'
