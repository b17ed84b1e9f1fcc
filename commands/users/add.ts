export { usersAdd as default } from '../../src/cli/users/users-verbs.js'
