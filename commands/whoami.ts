export { whoamiCommand as default } from '../src/cli/profile/whoami.js'
