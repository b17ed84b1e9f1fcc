export { terminalSend as default } from '../../src/cli/terminal/terminal-verbs.js'
