'use strict'
// What the executable runs: the files of dist/, which it has as assets, with the code that V8 compiled of them.
// To the program they are in a folder with the path of the executable.
const { existsSync, mkdtempSync, rmSync, writeFileSync } = require('node:fs')
const Module = require('node:module')
const { tmpdir } = require('node:os')
const { basename, join, relative, sep } = require('node:path')
const { getAsset, getAssetKeys, getRawAsset } = require('node:sea')
const { fileURLToPath } = require('node:url')
const { Script } = require('node:vm')
require('../../bin/account.js')
const { moduleLoader } = require('../../bin/modules.js')
const { versionLine } = require('../../bin/version.js')

const ROOT = process.execPath
const DIST = join(ROOT, 'dist')
const assets = new Set(getAssetKeys())
const bytesOf = (name) => Buffer.from(getRawAsset(name))

/** V8 refuses code that was compiled by another version or under other options, and compiles. */
function scriptOf(file) {
  const path = relative(ROOT, file).replaceAll(sep, '/')
  // oclif asks for the file of the help without its ending.
  const name = assets.has(path) ? path : `${path}.js`
  const source = `(function(exports,require,module,__filename,__dirname){${bytesOf(name)}\n})`
  const code = `${name}.bin`
  return new Script(source, {
    filename: file,
    ...(assets.has(code) && { cachedData: bytesOf(code) }),
  })
}

/** Folders for the short moment in which the kernel maps a native part: some are mounted without `exec`. */
const FOLDERS = [tmpdir(), process.env.XDG_RUNTIME_DIR, '/dev/shm', '/var/tmp', process.env.SECSCTL_HOME]

/** Windows keeps the file of a native part as long as the process runs. */
function remove(folder) {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch (error) {
    if (process.platform !== 'win32') throw error
  }
}

/** A native part. Its file is gone again when this returns: no other process can replace it. */
function addon(name) {
  const reasons = []
  for (const parent of FOLDERS) {
    if (!parent || !existsSync(parent)) continue
    let folder
    try {
      folder = mkdtempSync(join(parent, 'secsctl-'))
      const file = join(folder, basename(name))
      writeFileSync(file, bytesOf(name), { mode: 0o500 })
      const module = { exports: {} }
      process.dlopen(module, file)
      return module.exports
    } catch (error) {
      reasons.push(error.message)
    } finally {
      if (folder) remove(folder)
    }
  }
  throw new Error(
    `no folder for a native part (TMPDIR names one that allows programs): ${reasons.join('; ')}`,
  )
}

const addons = new Map()

function outside(id) {
  if (id.startsWith('file:')) return loaded(fileURLToPath(id))
  if (assets.has(`native/${id}.js`)) return loaded(join(ROOT, 'native', `${id}.js`))
  if (id.startsWith('addon:')) {
    if (!addons.has(id)) addons.set(id, addon(id.slice('addon:'.length)))
    return addons.get(id)
  }
  // Files of dist/ ask for native packages by a `require` of their own.
  if (id === 'node:module' || id === 'module')
    return Object.assign(Object.create(Module), { createRequire: () => outside })
  if (Module.isBuiltin(id)) return require(id)
  // Such as keytar, which the executable does not have.
  throw Object.assign(new Error(`Cannot find module '${id}'`), { code: 'MODULE_NOT_FOUND' })
}
outside.resolve = require.resolve

const loaded = moduleLoader(ROOT, scriptOf, outside)
const load = (name) => loaded(join(DIST, name))

const args = process.argv.slice(2)
if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
  const read = (name) => JSON.parse(getAsset(name, 'utf8'))
  process.stdout.write(versionLine(read('package.json'), read('dist/package.json')))
} else if (args[0] === '__complete') load('complete.js').complete(args.slice(1), ROOT)
else if (args[0] === join(DIST, 'keytar-process.js')) load('keytar-process.js')
else load('run.js').main(args, ROOT)
