export { demoCommand as default } from '../src/cli/demo/demo-command.js'
