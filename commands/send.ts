export { sendCommand as default } from '../src/cli/messages/send.js'
