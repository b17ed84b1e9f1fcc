export { catalogueCheck as default } from '../../src/cli/messages/messages-verbs.js'
