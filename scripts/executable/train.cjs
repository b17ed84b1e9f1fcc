'use strict'
// Runs a command of STAGE beside a gateway that has nothing, and adds the functions that it called to the code that is
// kept of long files. Run as `compile.cjs` is, with SECSCTL_HOME as an empty folder.
//   node train.cjs STAGE ARGUMENT...
const { mkdirSync, readFileSync, writeFileSync } = require('node:fs')
const { createServer } = require('node:http')
const { join } = require('node:path')
const { setFlagsFromString } = require('node:v8')
const { Script } = require('node:vm')
const { moduleLoader } = require('../../bin/modules.js')
const { LONG, NAME, wrapped } = require('./wrapped.cjs')

const [stage, ...args] = process.argv.slice(2)
const home = process.env.SECSCTL_HOME

/**
 * V8 notes with a function whether its machine code is under way in another thread, which depends on time: none is made.
 * The flags are compared where kept code is read and where it is written, so there they are as in the executable.
 */
const compilesToMachineCode = (does) => {
  for (const compiler of ['sparkplug', 'maglev', 'opt'])
    setFlagsFromString(`--${does ? '' : 'no-'}${compiler}`)
}
compilesToMachineCode(false)

const long = new Map()

function scriptOf(file) {
  const source = wrapped(file)
  const code = `${file}.bin`
  compilesToMachineCode(true)
  const script = new Script(source, { filename: NAME, cachedData: readFileSync(code) })
  compilesToMachineCode(false)
  if (script.cachedDataRejected) throw new Error(`V8 refuses what it has compiled of ${file}`)
  if (source.length >= LONG) long.set(code, script)
  return script
}

process.once('exit', () => {
  compilesToMachineCode(true)
  for (const [code, script] of long) writeFileSync(code, script.createCachedData())
})

const gateway = createServer((_, reply) => reply.end('{"items":[],"next_cursor":null}'))
gateway.listen(0, '127.0.0.1', () => {
  const url = `http://127.0.0.1:${gateway.address().port}`
  const files = {
    'state/daemon.json': { url, pid: process.pid },
    'config/tokens.json': { local: JSON.stringify({ token: 'none' }) },
  }
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(home, name, '..'), { recursive: true, mode: 0o700 })
    writeFileSync(join(home, name), JSON.stringify(content), { mode: 0o600 })
  }
  const dist = join(stage, 'dist')
  moduleLoader(dist, scriptOf, require)(join(dist, 'run.js')).main(args, stage)
})
