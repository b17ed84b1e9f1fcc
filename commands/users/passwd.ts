export { usersPasswd as default } from '../../src/cli/users/passwd.js'
