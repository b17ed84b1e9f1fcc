export { messagesDescribe as default } from '../../src/cli/messages/describe.js'
