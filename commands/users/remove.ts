export { usersRemove as default } from '../../src/cli/users/users-verbs.js'
