#!/usr/bin/env node
'use strict'
const { existsSync, readFileSync } = require('node:fs')
const { dirname, join } = require('node:path')

const root = dirname(__dirname)
const args = process.argv.slice(2)
const read = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'))

if (!existsSync(join(root, 'dist', 'run.js'))) {
  process.stderr.write('secsctl is not built yet: run `npm run build` first.\n')
  process.exitCode = 1
} else if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
  // Answered before anything else is loaded, because scripts ask this often.
  const { versionLine } = require('./version.js')
  process.stdout.on('error', ({ code, message }) => {
    process.exitCode = 1
    if (code !== 'EPIPE') process.stderr.write(`Error: cannot write the result: ${message}\n`)
  })
  process.stdout.write(versionLine(read('package.json'), read('dist/package.json')))
} else {
  require('./account.js')
  const { load } = require('./load.js')
  // The shell asks this at every press of Tab: it loads nothing else.
  if (args[0] === '__complete') load('complete.js').complete(args.slice(1), root)
  else load('run.js').main(args, root)
}
