export { commandCommand as default } from '../src/cli/messages/remote-command.js'
