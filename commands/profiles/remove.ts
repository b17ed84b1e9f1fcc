export { profilesRemove as default } from '../../src/cli/profile/profiles-verbs.js'
