'use strict'
// Compiles the files of dist/ below STAGE, and writes what V8 makes of each beside it. Run by the Node of the
// executable, under its options: V8 refuses code of other ones. Nothing of it is run. Of short files all functions are
// compiled, also those that no start calls: a start would compile the others, which takes longer. Of long files V8 keeps
// only what runs at once; `train.cjs` adds what starts call.
//   node compile.cjs STAGE FILE...
const { writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { setFlagsFromString } = require('node:v8')
const { Script } = require('node:vm')
const { LONG, NAME, wrapped } = require('./wrapped.cjs')

const [stage, ...names] = process.argv.slice(2)
for (const name of names) {
  const file = join(stage, name)
  const source = wrapped(file)
  if (source.length < LONG) setFlagsFromString('--no-lazy')
  const script = new Script(source, { filename: NAME })
  // The flags are compared as they are when the code is written.
  setFlagsFromString('--lazy')
  writeFileSync(`${file}.bin`, script.createCachedData())
}
