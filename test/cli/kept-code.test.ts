import { execFile } from 'node:child_process'
import {
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { daemonProgram } from '../../src/cli/installation.js'

const { PATH = '' } = process.env
let root: string

/** An installation whose command line prints `says` of a chunk and `says` of its own. */
function install(chunk: string, own: string): void {
  mkdirSync(join(root, 'dist', 'chunks'), { recursive: true })
  writeFileSync(join(root, 'dist', 'chunks', 'said-HASH.js'), `exports.said = () => ${JSON.stringify(chunk)}`)
  const run = `exports.main = () => console.log(require('./chunks/said-HASH.js').said(), ${JSON.stringify(own)})`
  writeFileSync(join(root, 'dist', 'run.js'), run)
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'secsctl-kept-'))
  cpSync('bin', join(root, 'bin'), { recursive: true })
  install('one', 'uno')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

async function run(
  env: Readonly<Record<string, string>> = {},
  options: readonly string[] = [],
): Promise<string> {
  const args = [...options, join(root, 'bin/run.js'), 'any']
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { env: { PATH, ...env } })
  return stderr + stdout.trim()
}

const BUILD = `${process.version}-${process.arch}-${statSync(process.execPath).size}`
const folder = () => join(root, 'dist', 'cache', BUILD)
const file = () => join(folder(), 'said-HASH.js.bin')

/** As it is written: with its CRC behind it. */
function guarded(code: Buffer): Buffer {
  const crc = Buffer.alloc(4)
  crc.writeUInt32LE(crc32(code))
  return Buffer.concat([code, crc])
}

describe('what V8 compiled', () => {
  test('is kept at the first start and used by the next, of chunks alone', async () => {
    expect(await run()).toBe('one uno')
    expect(readdirSync(folder())).toEqual(['said-HASH.js.bin'])
    // Sources of the same length are the same to V8: what it says of the chunk is what was kept.
    install('two', 'due')
    expect(await run()).toBe('one due')
  })

  test.each([
    [
      'a bit of it has changed',
      (kept: Buffer) =>
        kept.fill(kept.readUInt8(kept.length >> 1) ^ 16, kept.length >> 1, (kept.length >> 1) + 1),
    ],
    ['its end is missing', (kept: Buffer) => kept.subarray(0, -100)],
    ['its end was never written', (kept: Buffer) => Buffer.from(kept).fill(0, 200)],
    ['there is nothing in it', () => Buffer.alloc(0)],
    ['V8 refuses it', (kept: Buffer) => guarded(Buffer.alloc(kept.length, 'no code'))],
  ])('is not used, and kept anew, when %s', async (_, damaged) => {
    await run()
    const whole = readFileSync(file())
    writeFileSync(file(), damaged(Buffer.from(whole)))
    install('two', 'due')
    expect(await run()).toBe('two due')
    expect(readFileSync(file()).length).toBeGreaterThan(whole.length / 2)
    install('six', 'sei')
    expect(await run()).toBe('two sei')
  })

  test('gets the functions that a start used which compiled another file', async () => {
    const write = (name: string, text: string) => writeFileSync(join(root, 'dist', name), text)
    const uses = (name: string) =>
      `exports.main = () => console.log(require('./chunks/said-HASH.js').${name}())`
    const further = `const parts = [1, 2].map((n) => n * 2); return parts.join('-')`
    write('chunks/said-HASH.js', `exports.said = () => 'one'; exports.other = () => { ${further} }`)
    write('run.js', uses('said'))
    expect(await run()).toBe('one')
    const before = readFileSync(file()).length
    write('run.js', uses('other'))
    expect(await run()).toBe('2-4')
    expect(readFileSync(file()).length).toBe(before)
    write('chunks/command-HASH.js', '')
    write('run.js', `require('./chunks/command-HASH.js'); ${uses('other')}`)
    expect(await run()).toBe('2-4')
    expect(readFileSync(file()).length).toBeGreaterThan(before)
  })

  test.skipIf(process.platform === 'win32')('can be changed by nobody else, whatever the umask', async () => {
    const start = 'umask 0 && exec "$0" "$1" any'
    await promisify(execFile)('sh', ['-c', start, process.execPath, join(root, 'bin/run.js')], {
      env: { PATH },
    })
    const modes = [join(root, 'dist', 'cache'), folder(), file()].map((path) => statSync(path).mode & 0o777)
    expect(modes).toEqual([0o755, 0o755, 0o644])
  })

  test('is kept for daemons in the background beside that of commands, since V8 would refuse it', async () => {
    const options = daemonProgram(root).filter((word) => word.startsWith('--'))
    await run()
    expect(await run({}, options)).toBe('one uno')
    expect(readdirSync(join(root, 'dist', 'cache')).sort()).toEqual([BUILD, `${BUILD}-daemon`])
    install('two', 'due')
    expect(await run({}, options)).toBe('one due')
    expect(await run()).toBe('one due')
  })

  test('is neither kept nor read by a start that has options of its own', async () => {
    expect(await run({ NODE_OPTIONS: '--max-old-space-size=500' })).toBe('one uno')
    expect(readdirSync(join(root, 'dist'))).toEqual(['chunks', 'run.js'])
    await run()
    install('two', 'due')
    expect(await run({ NODE_OPTIONS: '--max-old-space-size=500' })).toBe('two due')
  })

  test('is done without where it cannot be kept', async () => {
    writeFileSync(join(root, 'dist', 'cache'), '')
    expect(await run()).toBe('one uno')
    expect(await run()).toBe('one uno')
    expect(readdirSync(join(root, 'dist')).sort()).toEqual(['cache', 'chunks', 'run.js'])
  })

  test.runIf(process.getuid?.() === 0)('is not kept in what somebody else has installed', async () => {
    chownSync(join(root, 'dist'), 12_345, 12_345)
    expect(await run()).toBe('one uno')
    expect(readdirSync(join(root, 'dist'))).toEqual(['chunks', 'run.js'])
  })
})
