export { loginCommand as default } from '../src/cli/profile/login.js'
