'use strict'

/** What `--version` prints. A build outside git has no commit. */
exports.versionLine = ({ name, version }, { commit, build }) =>
  `${name} ${version} (${commit ? `commit ${commit}, ` : ''}build ${build}, Node ${process.versions.node})\n`
