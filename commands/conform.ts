export { conformCommand as default } from '../src/cli/scenario/conform.js'
