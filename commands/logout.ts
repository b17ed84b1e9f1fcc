export { logoutCommand as default } from '../src/cli/profile/logout.js'
