export { eventsWait as default } from '../../src/cli/events/events-verbs.js'
