'use strict'
// Loads the files of dist/, and keeps in dist/cache what V8 compiled of its chunks: with that a start takes a fifth
// less. Without it, or where it does not fit, they are compiled as ever.
const { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } = require('node:fs')
const { basename, dirname, isAbsolute, join } = require('node:path')
const { Script } = require('node:vm')
const { crc32 } = require('node:zlib')

const DIST = join(dirname(__dirname), 'dist')
/** V8 tells sources apart by their length alone: only of files whose names tell their content is code kept. */
const CHUNKS = join(DIST, 'chunks')
const CACHE = join(DIST, 'cache')
/** V8 11 of Node 20 does not tell builds of one version apart, which share no code; their sizes differ. */
const { size } = statSync(process.execPath, { throwIfNoEntry: false }) ?? {}
const KEPT = join(CACHE, `${process.version}-${process.arch}-${size}`)
const CRC_BYTES = 4

/** What was compiled under other options is refused, so that of starts that have any nothing is kept or read. */
const keeps = process.execArgv.length === 0 && !process.env.NODE_OPTIONS

const modules = new Map()
const compiled = new Map()

const keptAt = (file) => join(KEPT, `${basename(file)}.bin`)

/** What V8 compiled of `file`; undefined when there is none, or not as it was written, which V8 does not look at. */
function kept(file) {
  try {
    const bytes = readFileSync(keptAt(file))
    const code = bytes.subarray(0, -CRC_BYTES)
    return crc32(code) === bytes.readUInt32LE(code.length) ? code : undefined
  } catch {
    return undefined
  }
}

function scriptOf(file) {
  const source = `(function(exports,require,module,__filename,__dirname){${readFileSync(file, 'utf8')}\n})`
  if (!keeps || dirname(file) !== CHUNKS) return new Script(source, { filename: file })
  const cachedData = kept(file)
  const script = new Script(source, { filename: file, cachedData })
  // Undefined without code, true when V8 refuses it.
  if (script.cachedDataRejected !== false) {
    if (compiled.size === 0) process.once('exit', keep)
    compiled.set(file, script)
  }
  return script
}

/**
 * Only for the owner of the installation, who could not remove what somebody else put there; and whatever the umask,
 * nobody else may change it, since others run it.
 */
function keep() {
  try {
    if (process.getuid && process.getuid() !== statSync(DIST).uid) return
    for (const folder of [CACHE, KEPT]) makeFolder(folder)
    for (const [file, script] of compiled) write(keptAt(file), script.createCachedData())
  } catch {
    // Read only, full, or gone: the next start takes as long as this one.
  }
}

/** Not with those above it: while a build puts a new dist/ in the place of the old there is none. */
function makeFolder(folder) {
  try {
    mkdirSync(folder, { mode: 0o755 })
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
}

function write(file, code) {
  const crc = Buffer.alloc(CRC_BYTES)
  crc.writeUInt32LE(crc32(code))
  const fresh = `${file}.${process.pid}`
  try {
    writeFileSync(fresh, Buffer.concat([code, crc]), { mode: 0o644 })
    renameSync(fresh, file)
  } catch (error) {
    rmSync(fresh, { force: true })
    throw error
  }
}

function loaded(file) {
  const known = modules.get(file)
  if (known) return known.exports
  const folder = dirname(file)
  const inside = (id) => {
    if (id.startsWith('./') || id.startsWith('../')) return loaded(join(folder, id))
    return isAbsolute(id) && id.startsWith(DIST) ? loaded(id) : require(id)
  }
  const module = { exports: {}, filename: file }
  modules.set(file, module)
  try {
    const run = scriptOf(file).runInThisContext()
    run.call(module.exports, module.exports, Object.assign(inside, require), module, file, folder)
  } catch (error) {
    modules.delete(file)
    throw error
  }
  return module.exports
}

/** What a file of dist/ exports. */
exports.load = (name) => loaded(join(DIST, name))
