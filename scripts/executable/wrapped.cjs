'use strict'
// The files of the bundle as `main.cjs` runs them.
const { readFileSync } = require('node:fs')

/** Of shorter files all functions are compiled; of longer ones those that a start runs. */
exports.LONG = 100_000

exports.wrapped = (file) => `(function(exports,require,module,__filename,__dirname){${readFileSync(file)}\n})`

/** The name is kept with the code, and is the same everywhere. */
exports.NAME = 'dist'
