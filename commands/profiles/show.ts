export { profilesShow as default } from '../../src/cli/profile/profiles-verbs.js'
