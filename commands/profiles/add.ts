export { profilesAdd as default } from '../../src/cli/profile/profiles-verbs.js'
