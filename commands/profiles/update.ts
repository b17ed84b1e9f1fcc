export { profilesUpdate as default } from '../../src/cli/profile/profiles-verbs.js'
