export { logoutCommand as default } from '../src/cli/profile/login.js'
