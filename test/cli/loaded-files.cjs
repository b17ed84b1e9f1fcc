// Preloaded into a process: writes at its end which files it read as text and which modules of node it loaded into
// the file that LOADED_FILES names.
'use strict'
const fs = require('node:fs')

const read = []
const { readFileSync, writeFileSync } = fs
fs.readFileSync = (file, ...rest) => {
  const found = readFileSync(file, ...rest)
  if (typeof found === 'string') read.push([String(file), found.length])
  return found
}
process.on('exit', () => {
  const builtin = process.moduleLoadList.map((name) => name.replace(/^NativeModule /, ''))
  writeFileSync(process.env.LOADED_FILES, JSON.stringify({ read, builtin }))
})
