'use strict'

/** What `--version` prints. A build outside git has no commit. */
exports.versionLine = ({ name, version }, { commit }) =>
  `${name} ${version} (${commit ? `commit ${commit}, ` : ''}Node ${process.versions.node})\n`
