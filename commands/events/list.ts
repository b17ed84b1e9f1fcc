export { eventsList as default } from '../../src/cli/events/events-verbs.js'
