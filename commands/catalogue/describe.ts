export { catalogueDescribe as default } from '../../src/cli/messages/describe.js'
