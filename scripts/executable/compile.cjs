'use strict'
// Compiles the files of dist/ below STAGE, and writes what V8 makes of each beside it. Run by the Node of the
// executable, under its options: V8 refuses code of other ones. Nothing of it is run: what V8 keeps of code that has
// run depends on time, and would be different in each build.
//   node compile.cjs STAGE FILE...
const { readFileSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { Script } = require('node:vm')

const [stage, ...names] = process.argv.slice(2)
for (const name of names) {
  const file = join(stage, name)
  // As `main.cjs` compiles it; only the name, which is kept as well, is the same everywhere.
  const source = `(function(exports,require,module,__filename,__dirname){${readFileSync(file)}\n})`
  writeFileSync(`${file}.bin`, new Script(source, { filename: 'dist' }).createCachedData())
}
