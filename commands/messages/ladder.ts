export { messagesLadder as default } from '../../src/cli/messages/ladder.js'
