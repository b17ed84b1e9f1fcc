export { whoamiCommand as default } from '../src/cli/profile/login.js'
