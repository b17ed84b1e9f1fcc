'use strict'
// Loads the files of dist/, and keeps the code that V8 compiled of its chunks in dist/cache: a start takes a quarter
// less time with it. Where there is none, or it does not fit, the chunks are compiled. Node's own cache needs Node 22,
// and saves a third of that.
const { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } = require('node:fs')
const { basename, dirname, join } = require('node:path')
const { Script } = require('node:vm')
const { crc32 } = require('node:zlib')
const { moduleLoader } = require('./modules.js')

const DIST = join(dirname(__dirname), 'dist')
/** V8 tells sources apart by their length alone: code is kept only of files that are named after their content. */
const CHUNKS = join(DIST, 'chunks')
const CACHE = join(DIST, 'cache')
/** V8 11 of Node 20 does not tell builds of one version apart, which share no code; their sizes differ. */
const { size } = statSync(process.execPath, { throwIfNoEntry: false }) ?? {}
/** V8 refuses code that was compiled under other options: that of daemons in the background is kept beside that of commands. */
const DAEMON = '--max-semi-space-size=8 --heap-growing-percent=50'
const isDaemon = process.execArgv.join(' ') === DAEMON
const KEPT = join(CACHE, `${process.version}-${process.arch}-${size}${isDaemon ? '-daemon' : ''}`)
const CRC_BYTES = 4

/** A start with other options neither writes nor reads the cache. */
const keeps = (process.execArgv.length === 0 || isDaemon) && !process.env.NODE_OPTIONS

/** The scripts of this start whose code is kept. */
const scripts = new Map()
let isFresh = false

const keptAt = (file) => join(KEPT, `${basename(file)}.bin`)

/** The code that is kept of `file`; undefined when there is none, or it is damaged, which V8 does not check. */
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
  const source = `(function(exports,require,module,__filename,__dirname){${readFileSync(file, 'latin1')}\n})`
  if (!keeps || dirname(file) !== CHUNKS) return new Script(source, { filename: file })
  const cachedData = kept(file)
  const script = new Script(source, { filename: file, cachedData })
  // Undefined when there was no code, true when V8 refused it.
  if (script.cachedDataRejected !== false && !isFresh) {
    isFresh = true
    process.once('exit', keep)
  }
  scripts.set(file, script)
  return script
}

/**
 * Writes the code of all that this start loaded, when it compiled a file: as the first start of each command does,
 * which adds the functions that it used to the kept code of what commands share. Only the owner of the installation
 * does, who could not remove files of others; and whatever the umask, nobody else may change them, since others run
 * them.
 */
function keep() {
  try {
    if (process.getuid && process.getuid() !== statSync(DIST).uid) return
    for (const folder of [CACHE, KEPT]) makeFolder(folder)
    for (const [file, script] of scripts) write(keptAt(file), script.createCachedData())
  } catch {
    // The disk is read-only or full, or the folder is gone: the next start compiles again.
  }
}

/** Creates no folder above it: while a build replaces dist/, there is none. */
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

const loaded = moduleLoader(DIST, scriptOf, require)

/** What a file of dist/ exports. */
exports.load = (name) => loaded(join(DIST, name))
