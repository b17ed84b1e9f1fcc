'use strict'
// A user without an account, as in a container, may have no home folder and no shell: oclif, and a library of its, ask
// the system for both when they are loaded, and fail. Where both are set, the system is not asked.
const { userInfo } = require('node:os')

try {
  if (process.env.HOME === undefined || process.env.SHELL === undefined) userInfo()
} catch {
  process.env.HOME ??= process.env.SECSCTL_HOME || '/'
  process.env.SHELL ??= '/bin/sh'
}
