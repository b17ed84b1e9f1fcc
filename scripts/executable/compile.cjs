'use strict'
// Compiles the files of dist/ below STAGE, and writes what V8 makes of each beside it. Run by the Node of the
// executable, under its options: V8 refuses code of other ones. Nothing of it is run: what V8 keeps of code that has
// run depends on time, and would be different in each build.
//   node compile.cjs STAGE FILE...
const { readFileSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { setFlagsFromString } = require('node:v8')
const { Script } = require('node:vm')

/**
 * Of the files that the start of a command loads, all functions are compiled, also those that no start calls: each start
 * would compile the others, which takes longer. Of the rest, which is large, V8 keeps only what runs at once.
 */
const isLoadedAtStart = (name, source) => /\brun-[0-9a-f]{8}\.js$/.test(name) || source.length < 100_000

const [stage, ...names] = process.argv.slice(2)
for (const name of names) {
  const file = join(stage, name)
  // As `main.cjs` compiles it; only the name, which is kept as well, is the same everywhere.
  const source = `(function(exports,require,module,__filename,__dirname){${readFileSync(file)}\n})`
  if (isLoadedAtStart(name, source)) setFlagsFromString('--no-lazy')
  const script = new Script(source, { filename: 'dist' })
  // The flags are compared as they are when the code is written.
  setFlagsFromString('--lazy')
  writeFileSync(`${file}.bin`, script.createCachedData())
}
