export { apiCommand as default } from '../src/cli/api.js'
