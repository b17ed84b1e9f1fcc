export { profilesList as default } from '../../src/cli/profile/profiles-verbs.js'
