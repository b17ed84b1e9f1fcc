export { messagesCheck as default } from '../../src/cli/messages/messages-verbs.js'
