export { usersList as default } from '../../src/cli/users/users-verbs.js'
