export { collectionEventsReport as default } from '../../src/cli/collection-events/collection-events-verbs.js'
